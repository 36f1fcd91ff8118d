import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { codeIn, copyWithLocks, isNew } from './corpus.mjs';
import { lint, programOf } from './lint.mjs';
import { namesIn } from './names.mjs';

/**
 * Lints packages in one way, and tells the parent of each file before and after. Started by `../files.mjs` with the way, the share of
 * files for which the config gives types, the packages, and files to leave out.
 */

const { modules, way, packages, skipped } = /** @type {{ modules: string, way: 'plain' | 'locks' | 'names' | 'typed', packages: string[], skipped: string[] }} */ (JSON.parse(process.argv[2] ?? '{}'));
const leftOut = new Set(skipped);
const say = (/** @type {object} */ message) => { process.send?.(message); };

/** @param {string} name @param {string} key @param {() => ReturnType<typeof lint>} work */
function measured(name, key, work) {
  if (leftOut.has(key)) return;
  say({ begins: key });
  const start = process.cpuUsage();
  const outcome = work();
  const { user, system } = process.cpuUsage(start);
  say({ key, name, time: (user + system) / 1000, ...outcome });
}

/** As it is: the gate stops it, unless it speaks of locks. @param {string} name */
function plainly(name) {
  for (const file of codeIn(join(modules, name))) {
    const text = readFileSync(file, 'utf8');
    if (isNew(text)) measured(name, file.slice(modules.length + 1), () => lint(file, text, { cwd: modules, isWanted: ({ line }) => (linesOf(text)[line - 1] ?? '').includes('advisory') }));
  }
}

/** @param {string} text */
const linesOf = (text) => text.split(/\r\n|[\r\n\u2028\u2029]/);

/** @param {string} name */
function withLocks(name) {
  const to = join(tmpdir(), 'advisory-lock-files', `${process.pid}`);
  rmSync(to, { recursive: true, force: true });
  for (const { folder, files } of copyWithLocks(modules, name, to, { isForced: way !== 'names' })) {
    const program = way === 'typed' ? programOf(files.map(({ file }) => file)) : undefined;
    const { settings, pattern } = way === 'names' ? namesIn(files.map(({ text }) => text)) : { settings: {}, pattern: undefined };
    for (const { file, text, ranges, isNew: isFirst } of files) {
      const isWanted = pattern ? (/** @type {{ line: number, endLine?: number }} */ { line, endLine = line }) => pattern.test(linesOf(text).slice(line - 1, endLine).join(' ')) : (/** @type {unknown} */ _, /** @type {number} */ offset) => ranges.some(([start, end]) => start <= offset && offset < end);
      if (isFirst) measured(name, file.slice(to.length + 1).replace('/', `/${name}/`), () => lint(file, text, { cwd: folder, settings, program, isWanted }));
    }
  }
  rmSync(to, { recursive: true, force: true });
}

process.on('disconnect', () => process.exit());

for (const name of packages) {
  say({ package: name });
  (way === 'plain' ? plainly : withLocks)(name);
  say({ done: name, memory: process.memoryUsage().rss });
}
process.exit();
