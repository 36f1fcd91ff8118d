import type { ESLint } from 'eslint';
import { inventoryOf } from '../inventory/repository.js';
import type { Collected, Inventory } from '../inventory/model.js';
import { mermaid } from '../inventory/mermaid.js';
import { svg } from '../inventory/svg.js';
import { json, markdown, table } from '../inventory/tables.js';
import { isInventoryFormat } from './options.js';
import { lookedAt, nameOf, type Looked, type Page } from './report.js';

/** The inventory of what was collected, with the rules that report at its statements. */
export function inventoryFrom(collected: readonly Collected[], results: readonly ESLint.LintResult[], cwd: string): Inventory {
  const reports = new Map<string, string[]>();
  for (const { filePath, messages } of results) {
    for (const { ruleId, line, column, fatal } of messages) {
      const place = `${nameOf(filePath, cwd)}:${line}:${column}`;
      if (fatal !== true && ruleId !== null) reports.set(place, [...(reports.get(place) ?? []), ruleId.replace(/^.*\//, '')]);
    }
  }
  return inventoryOf(collected, ({ file, line, column }) => reports.get(`${file}:${line}:${column}`) ?? []);
}

export function written(inventory: Inventory, format: string | undefined, looked: Looked, { paint }: Page): string {
  switch (format !== undefined && isInventoryFormat(format) ? format : 'table') {
    case 'json':
      return json(inventory, { looked: { ...looked, reasons: [...looked.reasons] } });
    case 'markdown':
      return `${markdown(inventory)}\n${lookedAt(looked, 'inventory').replace('\n', ' ')}`;
    case 'mermaid':
      return mermaid(inventory);
    case 'svg':
      return svg(inventory);
    case 'table':
      return `${table(inventory, (text) => paint('bold', text))}${inventory.statements.length > 0 ? '\n' : ''}${lookedAt(looked, 'inventory')}`;
  }
}
