// @ts-check
// Writes what follows from the rules: rules/index.ts, the table of rules in README.md, and the header and the options of each
// page in docs/rules/; and the JSON schema of the settings. `--check` writes nothing and fails where something is out of date. The
// table of what is found without types is measured on all fixtures, which takes a while: `--check` leaves it to
// test/docs/modes.test.ts, and `--quick` leaves it as it is.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toJsonSchema } from '@valibot/to-json-schema';
import { createJiti } from 'jiti';
import { renderIndex, renderModes, renderPage, renderReadme } from './render.mjs';

/** @param {string} path below the top of the project */
const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** @param {string} path */
const read = (path) => (existsSync(inProject(path)) ? readFileSync(inProject(path), 'utf8') : undefined);

const isCheck = process.argv.includes('--check');
/** @type {string[]} */
const outdated = [];

/** @param {string} path @param {string} text */
function put(path, text) {
  if (read(path) === text) return;
  outdated.push(path);
  if (!isCheck) writeFileSync(inProject(path), text);
}

const names = readdirSync(inProject('rules')).filter((file) => /^(?:no|require|prefer)-.*\.ts$/.test(file)).map((file) => file.slice(0, -3)).sort();
put('rules/index.ts', renderIndex(names));

// The sources themselves, so that nothing needs to be built first.
const jiti = createJiti(import.meta.url);
const plugin = /** @type {import('./render.mjs').Plugin} */ (await jiti.import(inProject('src/index.ts'), { default: true }));
const { schemas } = /** @type {typeof import('../src/settings/schema.ts')} */ (await jiti.import(inProject('src/settings/schema.ts')));
const described = Object.entries(plugin.rules).map(([name, rule]) => ({ name, rule, configs: plugin.configs, namespace: plugin.meta.namespace }));

put('README.md', renderReadme(read('README.md'), described));
for (const one of described) put(`docs/rules/${one.name}.md`, renderPage(read(`docs/rules/${one.name}.md`), one));

if (!isCheck && !process.argv.includes('--quick')) {
  const { modesOfFixtures } = /** @type {typeof import('../test/fixtures/modes-of-fixtures.js')} */ (await jiti.import(inProject('test/fixtures/modes-of-fixtures.ts')));
  put('docs/how-it-decides.md', renderModes(read('docs/how-it-decides.md'), modesOfFixtures()));
}

put('docs/settings.schema.json', `${JSON.stringify({ title: `settings['${plugin.meta.namespace}'] of an ESLint config`, ...toJsonSchema(schemas().all) }, null, 2)}\n`);

if (outdated.length > 0) console.log(isCheck ? `Out of date, run \`npm run update\`:\n${outdated.join('\n')}` : `Written:\n${outdated.join('\n')}`);
process.exitCode = isCheck && outdated.length > 0 ? 1 : 0;
