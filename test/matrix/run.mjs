// @ts-check
// `npm run matrix`: what the fixtures must report, and the packed plugin in projects that npm installs, on the oldest and the newest of
// what the manifest allows. Prints a table with a line for each cell, and fails where anything fails. `-- --only 22.13` keeps the
// cells whose name contains that.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Not below `node_modules`: what lies there is a package's, and is not followed.
const work = join(root, '.matrix');

const { values: { only = '' } } = parseArgs({ options: { only: { type: 'string' } } });

/** @typedef {{ version: string, engines: { node: string } }} Manifest */
/** @param {string} folder */
const manifestIn = (folder) => /** @type {Manifest} */ (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
/** @param {string} name of a folder in `node_modules` */
const versionOf = (name) => manifestIn(join('node_modules', name)).version;
const { engines } = manifestIn('.');

/** The oldest version of each line that the manifest allows: `^20.19.0 || ^22.13.0 || >=24`. */
const nodes = [...engines.node.matchAll(/\d[\d.]*/g)].map(([version]) => `${version}.0.0`.split('.').slice(0, 3).join('.'));

/** @typedef {{ passed: number, failed: string[] }} Count */
/** @typedef {{ name: string, node: string, eslint: string, typescript: string }} Cell */

/** @type {Cell[]} */
const cells = nodes.flatMap((node) => ['eslint-9', 'eslint'].flatMap((eslint) => ['typescript-5.4', 'typescript'].map((typescript) => (
  { name: `Node.js ${node}, ESLint ${versionOf(eslint)}, TypeScript ${versionOf(typescript)}`, node, eslint, typescript }
)))).filter(({ name }) => name.includes(only));

/** @param {string} program @param {string[]} args @param {import('node:child_process').SpawnSyncOptions} [options] */
function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { maxBuffer: 1e9, ...options, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}${error?.message ?? ''}` };
}

/** @param {string} program @param {string[]} args @param {import('node:child_process').SpawnSyncOptions} [options] */
function must(program, args, options) {
  const { status, said } = run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${said}`);
  return said;
}

/** The program of a version, from the package `node`. @param {string} version */
function nodeOf(version) {
  const folder = join(work, 'node', version);
  const program = join(folder, 'node_modules/node/bin/node');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
    must('npm', ['install', '--no-save', '--no-audit', '--no-fund', `node@${version}`], { cwd: folder });
  }
  if (must(program, ['--version']).trim() !== `v${version}`) throw new Error(`${program} is not Node.js ${version}.`);
  return program;
}

/**
 * A copy of this project in which the two packages have their real names, so that everything in it finds them: packages are hard
 * links, which costs no space.
 *
 * @param {Cell} cell
 */
function treeOf({ eslint, typescript }) {
  const tree = join(work, 'trees', `${eslint}+${typescript}`);
  const packages = join(tree, 'node_modules');
  // What npm says is installed: another, and the copy is made anew.
  const installed = readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8');
  const mark = join(packages, '.copied');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== installed) {
    rmSync(tree, { recursive: true, force: true });
    mkdirSync(packages, { recursive: true });
    const all = readdirSync(join(root, 'node_modules')).filter((name) => !['.cache', '.vite', '.vitest', 'eslint', 'typescript'].includes(name));
    must('cp', ['-al', '-t', packages, ...all.map((name) => join(root, 'node_modules', name))]);
    for (const [name, from] of [['eslint', eslint], ['typescript', typescript]]) must('cp', ['-al', join(root, 'node_modules', from ?? ''), join(packages, name ?? '')]);
    writeFileSync(mark, installed);
  }
  for (const name of readdirSync(tree).filter((one) => one !== 'node_modules')) rmSync(join(tree, name), { recursive: true });
  for (const name of readdirSync(root).filter((one) => !['node_modules', '.git', '.matrix'].includes(one))) cpSync(join(root, name), join(tree, name), { recursive: true });
  return tree;
}

/** @param {string} node @param {string} cwd @param {string[]} args @param {Record<string, string>} [env] @returns {Count} */
function vitest(node, cwd, args, env = {}) {
  const results = join(work, 'results.json');
  rmSync(results, { force: true });
  const path = `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`;
  const { said } = run(node, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${results}`, ...args], { cwd, env: { ...process.env, ...env, PATH: path } });
  if (!existsSync(results)) return { passed: 0, failed: [said] };
  const { testResults } = /** @type {{ testResults: { name: string, status: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }} */ (JSON.parse(readFileSync(results, 'utf8')));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const broken = testResults.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'));
  const failed = [...broken.map(({ name, message }) => `${name}: ${message}`), ...tests.filter(({ status }) => status === 'failed').map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`)];
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return { passed, failed: passed + failed.length === 0 ? [`no test has run: ${args.join(' ')}\n${said}`] : failed };
}

/** @type {[string, Count, Count][]} */
const rows = [];
let failures = 0;

/** @param {string} name @param {Count} count */
function tell(name, { passed, failed }) {
  console.log(`${name}: ${String(passed)} passed, ${String(failed.length)} failed`);
  for (const one of failed.slice(0, 5)) console.log(one.slice(0, 2000));
  failures += failed.length;
}

must('npm', ['run', '--silent', 'build'], { cwd: root });
must('npm', ['run', '--silent', 'generate'], { cwd: root });
for (const cell of cells) {
  const node = nodeOf(cell.node);
  const fixtures = vitest(node, treeOf(cell), ['test/fixtures/fixtures.test.ts', '-t', 'reports what is marked|reports nothing else without types']);
  tell(`${cell.name}, fixtures`, fixtures);
  const installed = vitest(node, root, ['test/package/example.test.ts', '-t', `^${cell.eslint} and ${cell.typescript} report`], { INSTALL: 'npm' });
  tell(`${cell.name}, installed`, installed);
  rows.push([cell.name, fixtures, installed]);
}
if (only === '') tell('The package: publint, attw, knip, and its other tests', vitest(process.execPath, root, ['test/package/package.test.ts', 'test/house/knip.test.ts']));

/** @param {Count} count */
const shown = ({ passed, failed }) => `${String(passed)} passed, ${String(failed.length)} failed`;
console.log(['', '| Cell | Fixtures | Installed from the tarball |', '| --- | --- | --- |', ...rows.map(([name, one, other]) => `| ${name} | ${shown(one)} | ${shown(other)} |`)].join('\n'));
process.exitCode = failures > 0 ? 1 : 0;
