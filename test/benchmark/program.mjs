import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A program of two thousand real files, outside of this project: the TypeScript sources that the installed packages ship, and modules of
 * JavaScript up to that number. What `npm ci` has installed decides which they are.
 */

const project = fileURLToPath(new URL('../../', import.meta.url));

/** How many files a program has. */
const SIZE = 2000;

/** With sources among what they ship, in this order; then those whose modules fill the number up. */
const ofTypeScript = [
  '@prisma/config/node_modules/effect/src', 'knip/node_modules/zod/src', 'rxjs/src', 'zod/src', '@fastify/ajv-compiler', 'slonik/src', '@slonik/sql-tag', '@arethetypeswrong/core', '@supabase/auth-js', '@supabase/storage-js',
  '@supabase/postgrest-js', '@supabase/realtime-js', '@supabase/supabase-js', 'fastify', '@prisma/dev', 'pino', 'roarr', 'pg-protocol',
];
const ofJavaScript = ['kysely/dist/esm', 'drizzle-orm/pg-core', 'drizzle-orm/mysql-core', 'drizzle-orm/sqlite-core', '@nestjs/core', 'drizzle-orm-1/pg-core', 'typeorm/browser', 'kysely/dist/cjs'];

/** What opens the gate: the files with locks are those that are asked for. */
const LOCKS = /advisory_/i;

/** ESLint ignores packages in packages; on a test of zod `no-floating-promises` runs out of stack. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|tests?|__tests__|benchmarks?)\//;

/** @param {string} folder @returns {string[]} paths below it, in an order that no file system changes */
const filesBelow = (folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((one) => one.replaceAll('\\', '/')).sort();

/** @returns {Generator<{ readonly from: string, readonly to: string }>} */
function* realFiles() {
  const seen = new Set();
  for (const [names, pattern] of /** @type {const} */ ([[ofTypeScript, /(?<!\.d)\.ts$/], [ofJavaScript, /\.js$/]])) {
    for (const name of names) {
      const root = join(project, 'node_modules', name);
      for (const file of filesBelow(root)) {
        if (!pattern.test(file) || LEFT_OUT.test(file)) continue;
        const text = readFileSync(join(root, file), 'utf8');
        if (seen.has(text) || LOCKS.test(text)) continue;
        seen.add(text);
        yield { from: join(root, file), to: join('src', name.replaceAll('node_modules/', ''), file) };
      }
    }
  }
}

/** So many fixtures that hold locks, evenly from all drivers, and what may be imported beside them. @param {number} count */
function* fixtures(count) {
  const root = join(project, 'fixtures');
  const all = filesBelow(root).filter((file) => /(?<!\.d|\.fixed)\.ts$/.test(file) && !/^(?:server|example-app)\//.test(file));
  const holdsLocks = new Set(all.filter((file) => LOCKS.test(readFileSync(join(root, file), 'utf8'))));
  const chosen = new Set([...holdsLocks].filter((_, index, { length }) => Math.floor((index * count) / length) !== Math.floor(((index + 1) * count) / length)));
  const folders = new Set([...chosen].map((file) => dirname(file)));
  for (const file of all) if (chosen.has(file) || (!holdsLocks.has(file) && folders.has(dirname(file)))) yield { from: join(root, file), to: join('src/locks', file) };
}

/**
 * Writes a program and gives its folder. With locks, every tenth of its files is a fixture that holds some: faulty and correct functions
 * one after the other, denser than any code that is written to work.
 * @param {'without locks' | 'with locks'} kind
 */
export function makeProgram(kind) {
  // Not below `node_modules`, where files are nobody's own.
  const folder = join(realpathSync(tmpdir()), `advisory-lock-benchmark-${process.pid}`, kind.replaceAll(' ', '-'));
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const files = kind === 'with locks' ? [...fixtures(SIZE / 10)] : [];
  for (const file of realFiles()) if (files.length < SIZE) files.push(file);
  if (files.length < SIZE) throw new Error(`Only ${files.length} files are installed.`);
  for (const { from, to } of files) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(from, join(folder, to));
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: {
      strict: true, target: 'es2023', lib: ['es2023', 'esnext.disposable', 'dom'], module: 'preserve', moduleResolution: 'bundler', noEmit: true, skipLibCheck: true, allowJs: true, types: ['node'],
      allowImportingTsExtensions: true, experimentalDecorators: true,
    }, include: ['src'],
  }));
  return folder;
}

/** Removes all that this process has made. */
export function removePrograms() {
  rmSync(join(realpathSync(tmpdir()), `advisory-lock-benchmark-${process.pid}`), { recursive: true, force: true, maxRetries: 5 });
}
