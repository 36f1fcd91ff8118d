import type { ESLint } from 'eslint';
import { join, relative } from 'node:path';
import { factsOf } from '../../src/analysis/facts.js';
import { collect } from '../../src/inventory/collect.js';
import type { Collected, Inventory } from '../../src/inventory/model.js';
import { inventoryOf } from '../../src/inventory/repository.js';
import { keyOf, partnersOf } from '../../src/inventory/words.js';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { ProgramFactory, compilerOptionsOf } from '../support/program.js';

const folder = inProject('fixtures/none/inventory');
const factory = new ProgramFactory(compilerOptionsOf(inProject('fixtures/tsconfig.json')));

/** The inventory of some texts, with types, of which no rule is asked. */
export function inventory(files: Readonly<Record<string, string>>, top = folder): Inventory {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(top, name), text]));
  const program = factory.create(texts);
  const collected: Collected[] = [];
  const collecting = {
    meta: { namespace: 'inventory' },
    rules: {
      collect: {
        create: (context) => ({
          'Program:exit': () => {
            const facts = factsOf(context.sourceCode as never, context.filename, { typesOnDemand: false });
            if (facts) collected.push(...collect(facts, (file) => relative(top, file)));
          },
        }),
      },
    },
  } satisfies ESLint.Plugin;
  const failures = [...texts].flatMap(([path, text]) => lint(collecting, path, text, { program }).failures);
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return inventoryOf(collected, () => []);
}

/** `line within operation key connection: partners, guard` of each statement. */
export const rowsOf = ({ statements }: Inventory): string[] =>
  statements.map((one) => `${one.line} ${one.within} ${one.operation} ${keyOf(one)} ${one.connection}: ${partnersOf(one)}${one.guard === undefined ? '' : `, ${one.guard}`}`);
