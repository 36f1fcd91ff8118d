import type { ConnectionWord, Inventory, LockStatement } from './model.js';
import { isTaking, keyOf } from './words.js';

/** What a picture shows: which functions take which keys over which connections. */
export interface Picture {
  readonly files: readonly { readonly name: string; readonly functions: readonly { readonly name: string; readonly takes: readonly Take[] }[] }[];
  /** In the order in which they are first taken. */
  readonly keys: readonly string[];
  readonly shared: ReadonlySet<string>;
}

export interface Take {
  readonly key: string;
  readonly connection: ConnectionWord;
  readonly handle: string;
  /** `try, shared, transaction`: what is not usual is said. */
  readonly how: string;
  readonly isFound: boolean;
}

export function pictureOf({ statements, sharedKeys }: Inventory): Picture {
  const taking = statements.filter(isTaking);
  const files = unique(taking.map(({ file }) => file)).map((name) => {
    const inFile = taking.filter(({ file }) => file === name);
    const functions = unique(inFile.map(({ within }) => within)).map((within) => ({ name: within, takes: takesOf(inFile.filter((one) => one.within === within)) }));
    return { name, functions };
  });
  return { files, keys: unique(taking.map(keyOf)), shared: new Set(sharedKeys.map(({ key }) => key)) };
}

const unique = <T>(all: readonly T[]): T[] => [...new Set(all)];

/** The same lock taken twice in a function over one handle is one line. */
function takesOf(statements: readonly LockStatement[]): Take[] {
  const found = new Map<string, Take>();
  for (const one of statements) {
    const { connection, handle, findings } = one;
    const how = [one.operation === 'try' ? 'try' : 'lock', ...(one.mode === 'shared' ? ['shared'] : []), ...(one.level === 'transaction' ? ['until commit'] : [])].join(', ');
    const name = [keyOf(one), connection, handle, how].join('\n');
    found.set(name, { key: keyOf(one), connection, handle, how, isFound: findings.length > 0 || found.get(name)?.isFound === true });
  }
  return [...found.values()];
}
