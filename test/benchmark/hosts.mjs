/**
 * Measures what types on demand cost: a program of two thousand real files, seven of them with locks, linted without types, with types
 * on demand, and with a project service for every file. Run it after a build, with a connection to the package registry:
 *
 *     node test/benchmark/hosts.mjs [rounds] [few|most]
 *
 * Each way runs in a process of its own, in turns; the numbers that count are the ratios within one run. The sources are those that two
 * packages ship; the files with locks import some of them, once a few and once nearly all of one package.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [rounds = '3', only = ''] = process.argv.slice(2);
// Not below `node_modules`, where files are nobody's own.
const folder = join(tmpdir(), 'advisory-lock-benchmark');

const packages = { viem: '2.57.20', effect: '4.1.0', pg: '8.23.1', '@types/pg': '8.23.1' };

const db = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";

/** @param {number} number @param {string} imported */
const job = (number, imported) => `import { pool } from '../db.js';
import * as work from '${imported}';

export async function run${number}(): Promise<unknown> {
  await pool.query('SELECT pg_advisory_lock(${number})');
  try {
    return work;
  } finally {
    await pool.query('SELECT pg_advisory_unlock(${number})');
  }
}
`;

/** What the seven files with locks import. */
const few = ['../viem/utils/hash/keccak256.js', '../viem/utils/data/concat.js', '../viem/utils/data/pad.js', '../viem/utils/address/isAddress.js', '../viem/utils/unit/parseUnits.js', '../viem/errors/base.js', '../viem/utils/data/slice.js'];
const most = ['../viem/index.js', ...few.slice(1)];

function prepare() {
  if (!existsSync(join(folder, 'node_modules/effect'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: packages }));
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: folder, stdio: 'ignore' });
  }
  rmSync(join(folder, 'src'), { recursive: true, force: true });
  for (const [name, from] of [['viem', 'viem'], ['effect', 'effect/src']]) {
    const root = join(folder, 'node_modules', String(from));
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (!/\.ts$/.test(file) || /\.d\.ts$|node_modules/.test(file)) continue;
      if (/advisory_/i.test(readFileSync(join(root, file), 'utf8'))) continue; // some real locks: seven are asked for
      mkdirSync(dirname(join(folder, 'src', String(name), file)), { recursive: true });
      cpSync(join(root, file), join(folder, 'src', String(name), file));
    }
  }
  writeFileSync(join(folder, 'src/db.ts'), db);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: { strict: true, target: 'es2022', module: 'preserve', moduleResolution: 'bundler', noEmit: true, skipLibCheck: true, types: [], allowImportingTsExtensions: true }, include: ['src'],
  }));
}

/** @param {readonly string[]} imports */
function writeJobs(imports) {
  mkdirSync(join(folder, 'src/jobs'), { recursive: true });
  imports.forEach((one, index) => { writeFileSync(join(folder, `src/jobs/job${index}.ts`), job(index, one)); });
}

/** @typedef {{ readonly seconds: number, readonly cpu: number, readonly megabytes: number, readonly files: number, readonly findings: number }} Ran */

/** @param {string} way @returns {Ran} */
function run(way) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(new URL('lint-once.mjs', import.meta.url)), way, folder], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${way}: ${stderr}`);
  return /** @type {Ran} */ (JSON.parse(stdout));
}

/** @param {readonly number[]} values */
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const ways = ['parser only', 'types on demand', 'project service'];

prepare();
for (const [title, imports] of /** @type {const} */ ([['The files with locks import a few of the others', few], ['One of them imports nearly all of a package', most]])) {
  if (only && imports !== { few, most }[only]) continue;
  writeJobs(imports);
  const ran = new Map(ways.map((way) => [way, /** @type {Ran[]} */ ([])]));
  for (let round = 0; round < Number(rounds); round++) for (const way of ways) ran.get(way)?.push(run(way));
  const base = median((ran.get('parser only') ?? []).map(({ seconds }) => seconds));
  const service = median((ran.get('project service') ?? []).map(({ megabytes }) => megabytes));
  console.log(`\n${title}`);
  console.table(Object.fromEntries(ways.map((way) => {
    const all = ran.get(way) ?? [];
    const [seconds, cpu, megabytes] = [median(all.map((one) => one.seconds)), median(all.map((one) => one.cpu)), median(all.map((one) => one.megabytes))];
    return [way, { seconds: seconds.toFixed(1), 'to parser only': (seconds / base).toFixed(2), 'CPU seconds': cpu.toFixed(1), MB: Math.round(megabytes), 'to project service': (megabytes / service).toFixed(2), files: all[0]?.files, findings: all[0]?.findings }];
  })));
}
