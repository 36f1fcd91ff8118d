/**
 * Measures what the plugin costs on a program of two thousand real files, without locks and with locks in every tenth: the time of its
 * rules beside that of `@typescript-eslint/no-floating-promises` in the same run, memory, and how much longer the language server of
 * editors takes to answer. Run it after a build:
 *
 *     node test/benchmark/speed.mjs [lint|editor]
 *
 * No time is asserted; what counts are the ratios within one run. Each way of linting has a process of its own.
 */
import { spawnSync } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import * as typescript from '../server/demo/typescript-hook.mjs';
import { makeProgram, removePrograms } from './program.mjs';

const [only = ''] = process.argv.slice(2);

/** @typedef {{ readonly seconds: number, readonly megabytes: number, readonly files: number, readonly findings: number, readonly unparsed: number, readonly ruleSeconds: { readonly plugin: number, readonly floating: number } }} Ran */

/** @param {string} way @param {string} folder @returns {Ran} */
function lint(way, folder) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(new URL('lint-once.mjs', import.meta.url)), way, folder], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${way}: ${stderr}`);
  return /** @type {Ran} */ (JSON.parse(stdout));
}

const typed = 'project service, @typescript-eslint/no-floating-promises';

function lintPrograms() {
  for (const kind of /** @type {const} */ (['without locks', 'with locks'])) {
    const folder = makeProgram(kind);
    const without = lint(typed, folder);
    const having = lint(`${typed}, plugin`, folder);
    const untyped = lint('parser only', folder);
    const onDemand = lint('types on demand', folder);
    console.log(`\nTwo thousand files ${kind}`);
    console.table({
      'types by config': row(having, without, having.ruleSeconds.floating),
      'types on demand': row(onDemand, untyped, having.ruleSeconds.floating),
    });
  }
}

/** @param {Ran} having @param {Ran} without @param {number} floating */
const row = (having, without, floating) => ({
  files: having.files, 'not parsed': having.unparsed, findings: having.findings,
  'rules, s': having.ruleSeconds.plugin.toFixed(2), 'no-floating-promises, s': floating.toFixed(2), 'rules to it': (having.ruleSeconds.plugin / floating).toFixed(2),
  'MB without': Math.round(without.megabytes), 'MB with': Math.round(having.megabytes), 'MB ratio': (having.megabytes / without.megabytes).toFixed(2),
});

/** @param {readonly number[]} values */
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const KEYS = 25;

async function typeInEditors() {
  const { registerHooks } = /** @type {Partial<typeof module>} */ (module);
  if (registerHooks) registerHooks(typescript);
  else module.register('../server/demo/typescript-hook.mjs', import.meta.url);
  const { Editor } = await import('../editor/editor.js');
  const { long, nightly, projectFor } = await import('../editor/projects.js');
  const { removeUserProjects } = await import('../support/user-project.js');
  /** @type {Record<string, object>} */
  const rows = {};
  for (const rules of /** @type {const} */ (['recommended', 'one rule'])) for (const types of /** @type {const} */ (['types of the config', 'types on demand'])) {
    for (const [kind, text] of /** @type {const} */ ([['without locks', long.replace(nightly, '')], ['with locks', long]])) {
      const editors = await Promise.all([false, true].map(async (withPlugin) => {
        const editor = await new Editor(projectFor(types, withPlugin, { 'src/long.ts': text }, rules)).start();
        editor.open('src/long.ts', text);
        await editor.squiggles('src/long.ts');
        return { editor, times: /** @type {number[]} */ ([]) };
      }));
      // In turns, so that both have the same machine; the first keys warm up.
      for (let key = -10; key < KEYS; key++) {
        for (const { editor, times } of editors) {
          editor.type('src/long.ts', `${text}// ${key}\n`);
          const start = performance.now();
          await editor.squiggles('src/long.ts');
          if (key >= 0) times.push(performance.now() - start);
        }
      }
      const [without = 0, having = 0] = editors.map(({ times }) => median(times));
      rows[`${kind}, ${types}, ${rules}`] = { 'ms without': without.toFixed(0), 'ms with': having.toFixed(0), ratio: (having / without).toFixed(2) };
      for (const { editor } of editors) await editor.close();
    }
  }
  removeUserProjects();
  console.log('\nAnswer of the language server to a key, in a file of two thousand lines');
  console.table(rows);
}

try {
  if (only !== 'editor') lintPrograms();
  if (only !== 'lint') await typeInEditors();
} finally {
  removePrograms();
}
