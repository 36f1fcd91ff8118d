import { shortSource } from '../quoting.js';
import type { FileFacts } from '../facts.js';
import { lineOf } from '../wording.js';

/** Handles of which nothing is known because their type is `any`, though there are types: "`prisma` (line 5)". A package is not installed, a client not generated. */
export function untypedHandles({ types, uses, unsure }: FileFacts): string[] {
  const found = new Map<string, string>();
  for (const use of types.isTyped ? [...uses, ...unsure] : []) {
    const { handle, connection, helper } = use.call;
    const name = shortSource(handle);
    if (connection.kind === 'unknown' && helper === undefined && types.typeOf(handle)?.isAny === true && !found.has(name)) found.set(name, `\`${name}\` (${lineOf(use)})`);
  }
  return [...found.values()];
}
