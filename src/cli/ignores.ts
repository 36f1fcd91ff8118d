import ignore, { type Ignore } from 'ignore';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** What the `.gitignore` files of a repository leave out, read by git's rules. git itself is not needed. */
export class Ignores {
  private readonly rules = new Map<string, Ignore | undefined>();

  /** @param top the folder below which `.gitignore` files count. */
  constructor(private readonly top: string) {}

  /** The innermost `.gitignore` that has anything to say of a path decides. A folder that is left out is not to be entered at all. */
  isIgnored(path: string, isFolder: boolean): boolean {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if (!isBelow(folder, this.top) && folder !== this.top) return false;
      const said = this.rulesOf(folder)?.test(posix(relative(folder, path)) + (isFolder ? '/' : ''));
      if (said?.ignored) return true;
      if (said?.unignored || folder === this.top) return false;
    }
  }

  /** Whether a path, or a folder that it is in, is left out. */
  isWithinIgnored(path: string, isFolder: boolean): boolean {
    if (path === this.top || !isBelow(path, this.top)) return false;
    return this.isWithinIgnored(dirname(path), true) || this.isIgnored(path, isFolder);
  }

  private rulesOf(folder: string): Ignore | undefined {
    if (!this.rules.has(folder)) this.rules.set(folder, this.read(folder));
    return this.rules.get(folder);
  }

  private read(folder: string): Ignore | undefined {
    // `.git/info/exclude` is the repository's own list, which is not shared.
    const lists = [...(folder === this.top ? [join(folder, '.git/info/exclude')] : []), join(folder, '.gitignore')].flatMap(textOf);
    return lists.length === 0 ? undefined : ignore({ ignorecase: ['win32', 'darwin'].includes(process.platform) }).add(lists.join('\n'));
  }
}

function textOf(file: string): string[] {
  try {
    return existsSync(file) ? [readFileSync(file, 'utf8')] : [];
  } catch {
    return []; // a folder of that name, or not ours to read
  }
}

export const posix = (path: string): string => path.split(sep).join('/');

export const isBelow = (path: string, folder: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
