import { boundTo } from './bound-values.js';
import type { Bindings } from '../keys/keys.js';
import type { Place } from '../values/origin.js';
import type { Text } from './sql-text.js';

/** `$1::int IS NOT NULL`, `CAST(:key AS int) IS NULL`; `{0}` stands for a hole. PostgreSQL has no other way to write it but `ISNULL` and `NOTNULL`. */
const QUESTION = /(?:\{(\d+)\}|\$(\d+)|[:@]([a-z_]\w*)|(\?))[\s)]{0,40}(?:::\s*[a-z]\w*|as\s+[a-z]\w*)?[\s)]{0,40}(?:\bis\s+(?:not\s+)?null\b|\b(?:isnull|notnull)\b)/gi;

/** The values that a statement itself asks for null: it says what happens then. */
export function askedForNull(text: Text, bindings: Bindings): readonly Place[] {
  let holes = 0;
  const written = text.chunks.map((chunk) => (chunk.kind === 'text' ? chunk.text.replaceAll(/[{}]/g, ' ') : `{${holes++}}`)).join('');
  if (!/null/i.test(written)) return [];
  return [...written.matchAll(QUESTION)].flatMap((found) => {
    const [, hole, position, name, mark] = found;
    if (hole !== undefined) return bindings.holes[Number(hole)] ?? [];
    const bound = position ?? name ?? (mark === undefined ? undefined : String(written.slice(0, found.index + 1).split('?').length - 1));
    return bound === undefined ? [] : boundTo(bindings.values, bound) ?? [];
  });
}
