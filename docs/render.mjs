// @ts-check
/**
 * @typedef {{ description?: string, enum?: unknown[], type?: string | string[], items?: Schema, properties?: Record<string, Schema>, oneOf?: Schema[], anyOf?: Schema[] }} Schema
 * @typedef {{ meta: { docs: { description: string, url: string }, schema?: Schema[] | Schema, defaultOptions?: unknown[], hasSuggestions?: boolean, fixable?: string } }} Rule
 * @typedef {Record<string, { rules: Record<string, 'error' | ['error', unknown]> }>} Configs
 * @typedef {{ meta: { namespace: string }, rules: Record<string, Rule>, configs: Configs }} Plugin
 * @typedef {{ name: string, rule: Rule, namespace: string, configs: Configs }} Described
 */

/** @param {string[]} names */
export function renderIndex(names) {
  const imports = names.map((name) => `import ${variableOf(name)} from './${name}.js';`);
  const entries = names.map((name) => `  '${name}': ${variableOf(name)},`);
  return [`// Written by \`npm run update\`.`, ...imports, '', 'export const rules = {', ...entries, '};', ''].join('\n');
}

/** @param {string} name */
function variableOf(name) {
  return name.replaceAll(/-(.)/g, (_, letter) => String(letter).toUpperCase());
}

/** @param {string | undefined} readme @param {Described[]} rules */
export function renderReadme(readme, rules) {
  const text = readme ?? '# eslint-plugin-pg-advisory-lock\n\n## Rules\n\n<!-- rules:start -->\n<!-- rules:end -->\n';
  const rows = rules.map(({ name, rule }) => `| [${name}](docs/rules/${name}.md) | ${rule.meta.docs.description} | ${rule.meta.hasSuggestions ? '💡' : ''} |`);
  return between(text, 'rules', ['| Rule | What it does | 💡 |', '| --- | --- | --- |', ...rows, '', '💡 offers suggestions that an editor or a person applies.'].join('\n'));
}

/**
 * @param {string | undefined} page
 * @param {{ name: string, expected: number, untyped: number, falseAlarms: number }[]} rows
 */
export function renderModes(page, rows) {
  /** @param {'expected' | 'untyped' | 'falseAlarms'} key */
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const all = [...rows, { name: 'all', expected: sum('expected'), untyped: sum('untyped'), falseAlarms: sum('falseAlarms') }];
  return between(page ?? '', 'modes', [
    '| Fixtures of | Faults marked | Found with types of the config | Found with types on demand, and in oxlint | Found without types | False alarms without types |',
    '| --- | --- | --- | --- | --- | --- |',
    ...all.map(({ name, expected, untyped, falseAlarms }) => `| ${name} | ${expected} | ${expected} | ${expected} | ${untyped} | ${falseAlarms} |`),
  ].join('\n'));
}

/**
 * @param {string | undefined} page
 * @param {readonly { rule: string, drivers: readonly string[], reason: string }[]} pairs
 */
export function renderCannotApply(page, pairs) {
  const rows = pairs.map(({ rule, drivers, reason }) => `| \`${rule}\` | ${drivers.join(', ')} | ${reason} |`);
  return between(page ?? '', 'cannot-apply', ['| Rule | Drivers without a report | Reason, of each driver |', '| --- | --- | --- |', ...rows].join('\n'));
}

/** @param {string | undefined} page @param {Described} rule */
export function renderPage(page, rule) {
  const options = renderOptions(rule.rule);
  let text = page ?? `<!-- header:start -->\n<!-- header:end -->\n`;
  if (!text.includes(marker('header', 'start'))) text = `<!-- header:start -->\n<!-- header:end -->\n\n${text}`;
  text = between(text, 'header', renderHeader(rule));
  if (options !== undefined && !text.includes(marker('options', 'start'))) text = `${text.trimEnd()}\n\n## Options\n\n<!-- options:start -->\n<!-- options:end -->\n`;
  return options === undefined ? text : between(text, 'options', options);
}

/** @param {Described} described */
function renderHeader({ name, rule, configs, namespace }) {
  const on = Object.entries(configs).flatMap(([config, { rules }]) => {
    const entry = rules[`${namespace}/${name}`];
    if (entry === undefined) return [];
    const [, options] = Array.isArray(entry) ? entry : [];
    return [options === undefined ? `\`${config}\`` : `\`${config}\` (with \`${JSON.stringify(options)}\`)`];
  });
  const where = on.length === 0 ? 'In no config.' : `In the configs ${on.join(' and ')}.`;
  const offers = rule.meta.hasSuggestions ? ' 💡 Offers suggestions.' : '';
  return [`# ${namespace}/${name}`, '', `${rule.meta.docs.description}.`, '', `${where}${offers}`].join('\n');
}

/** @param {Rule} rule */
function renderOptions({ meta }) {
  const [schema] = [meta.schema ?? []].flat();
  const defaults = /** @type {Record<string, unknown>} */ (meta.defaultOptions?.[0] ?? {});
  const sections = Object.entries(schema?.properties ?? {}).map(([name, option]) => [
    `### \`${name}\``, '', option.description ?? '', '', `Type: ${typeOf(option)}. Default: \`${JSON.stringify(defaults[name])}\`.`,
  ].join('\n'));
  return sections.length === 0 ? undefined : sections.join('\n\n');
}

/** @param {Schema} schema @returns {string} */
function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return alternatives.map(typeOf).join(' or ');
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  return `\`${[schema.type].flat().join(' | ')}\``;
}

/** @param {string} text @param {string} name @param {string} content */
function between(text, name, content) {
  const [start, end] = [marker(name, 'start'), marker(name, 'end')];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The markers ${start} and ${end} are missing.`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

/** @param {string} name @param {'start' | 'end'} which */
function marker(name, which) {
  return `<!-- ${name}:${which} -->`;
}
