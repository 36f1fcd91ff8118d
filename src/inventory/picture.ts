import { compareKeys } from '../analysis/keys/keys.js';
import { isFixed, keyText } from '../analysis/keys/text.js';
import type { Key } from '../analysis/model.js';
import type { ConnectionWord, Inventory, LockStatement, Taking } from './model.js';
import { isTaking, keyOf } from './words.js';

/** What a picture shows: which functions take which keys over which connections. */
export interface Picture {
  readonly files: readonly { readonly name: string; readonly functions: readonly { readonly name: string; readonly takes: readonly Take[] }[] }[];
  /** In the order in which they are first taken. The same text may stand for two keys: `name` of one function is not `name` of another. */
  readonly keys: readonly { readonly text: string; readonly isShared: boolean }[];
}

export interface Take {
  /** Index among the keys. */
  readonly key: number;
  readonly connection: ConnectionWord;
  readonly handle: string;
  /** Whether a transaction-level lock is in a transaction, though it be the one of its own statement. */
  readonly isInTransaction: boolean;
  /** `try, shared, transaction`: what is not usual is said. */
  readonly how: string;
  readonly isFound: boolean;
}

export function pictureOf({ statements, passedKeys, sharedKeys }: Inventory): Picture {
  const taking = statements.filter(isTaking);
  const shared = new Set<Taking>(sharedKeys.flatMap(({ places }) => places));
  const keys: { readonly key: Key; readonly text: string; isShared: boolean }[] = [];
  const indexOf = (key: Key, text: string, isShared: boolean): number => {
    const known = keys.findIndex((other) => compareKeys(key, other.key) === 'same');
    if (isShared && known >= 0) keys[known]!.isShared = true;
    return known >= 0 ? known : keys.push({ key, text, isShared }) - 1;
  };
  // A helper that is passed its key takes those that its callers pass.
  const keysAt = (one: LockStatement): number[] => {
    const passed = passedKeys.get(one) ?? [];
    if (passed.length === 0) return [indexOf(one.key, keyOf(one), shared.has(one))];
    return passed.map((key) => indexOf(key, keyText(key), isFixed(key) && sharedKeys.some((group) => group.key === keyText(key))));
  };
  const files = unique(taking.map(({ file }) => file)).map((name) => {
    const inFile = taking.filter(({ file }) => file === name);
    const functions = unique(inFile.map(({ within }) => within)).map((within) => ({ name: within, takes: takesOf(inFile.filter((one) => one.within === within), keysAt) }));
    return { name, functions };
  });
  return { files, keys: keys.map(({ text, isShared }) => ({ text, isShared })) };
}

const unique = <T>(all: readonly T[]): T[] => [...new Set(all)];

/** The same lock taken twice in a function over one handle is one line. */
function takesOf(statements: readonly LockStatement[], keysAt: (one: LockStatement) => readonly number[]): Take[] {
  const found = new Map<string, Take>();
  for (const one of statements) {
    const { connection, handle, findings, level, guard } = one;
    const how = [one.operation === 'try' ? 'try' : 'lock', ...(one.mode === 'shared' ? ['shared'] : []), ...(level === 'transaction' ? ['until commit'] : [])].join(', ');
    const isInTransaction = level === 'transaction' && (guard === 'transaction' || guard === 'statement');
    for (const key of keysAt(one)) {
      const name = [key, connection, handle, how].join('\n');
      found.set(name, { key, connection, handle, how, isInTransaction, isFound: findings.length > 0 || found.get(name)?.isFound === true });
    }
  }
  return [...found.values()];
}
