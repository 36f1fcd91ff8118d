import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withLocks } from './locks.mjs';

/** The code files of installed packages, and copies of them as if they were a user's own. */

const CODE = /\.[cm]?[jt]sx?$/;
const TYPED = /\.[cm]?tsx?$/;
/** Bytes. What is larger is a bundle, which nobody lints. */
const LARGEST = 500_000;

/** @param {string} modules The folder `node_modules`. @returns {string[]} */
export function packagesIn(modules) {
  return readdirSync(modules).filter((name) => !name.startsWith('.')).flatMap((name) => (name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name])).sort();
}

/** @param {string} folder @returns {string[]} */
export function codeIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : codeIn(path);
    return entry.isFile() && CODE.test(entry.name) && statSync(path).size <= LARGEST ? [path] : [];
  });
}

const seen = new Set();

/** Whether a text is new; many packages ship the same file twice. @param {string} text */
export function isNew(text) {
  const hash = createHash('sha1').update(text).digest('base64');
  const isSeen = seen.has(hash);
  seen.add(hash);
  return !isSeen;
}

/**
 * @typedef {object} Copy One file, where it was copied to, with what was written into it.
 * @property {string} file
 * @property {string} text
 * @property {readonly (readonly [number, number])[]} ranges
 * @property {boolean} isNew
 */

const CONFIG = { compilerOptions: { allowJs: true, module: 'preserve', moduleResolution: 'bundler', target: 'esnext', jsx: 'preserve', strict: true, skipLibCheck: true, noEmit: true, types: [] }, include: ['**/*'] };

/**
 * Lays out the code of a package as two projects, the JavaScript in one and the TypeScript in the other, so that imports lead from file
 * to file; not below `node_modules`, where files are nobody's own.
 *
 * @param {string} modules @param {string} name @param {string} to @param {{ readonly isForced: boolean }} options
 * @returns {{ readonly folder: string, readonly files: readonly Copy[] }[]}
 */
export function copyWithLocks(modules, name, to, { isForced }) {
  const from = join(modules, name);
  const all = codeIn(from);
  mkdirSync(to, { recursive: true });
  symlinkSync(modules, join(to, 'node_modules'), 'junction');
  return [false, true].map((isTyped) => {
    const folder = join(to, isTyped ? 'typed' : 'plain');
    const files = all.filter((one) => TYPED.test(one) === isTyped).flatMap((one) => {
      const original = readFileSync(one, 'utf8');
      const made = isForced ? withLocks(original, one) : { text: original, ranges: [] };
      if (!made) return [];
      const file = join(folder, relative(from, one));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, made.text);
      return [{ file, ...made, isNew: isNew(original) }];
    });
    if (files.length > 0) {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
      if (existsSync(join(from, 'package.json'))) cpSync(join(from, 'package.json'), join(folder, 'package.json'));
    }
    return { folder, files };
  }).filter(({ files }) => files.length > 0);
}
