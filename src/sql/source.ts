import { HOLE, HOLE_CODE } from './characters.js';
import type { SqlHole, SqlText } from './model.js';

/** SQL text in one string, every hole one character long. */
export interface Source {
  readonly text: string;
  readonly holes: ReadonlyMap<number, SqlHole>;
}

export function flatten(sql: SqlText): Source {
  const holes = new Map<number, SqlHole>();
  const pieces: string[] = [];
  let length = 0;
  for (const part of sql.parts) {
    if (typeof part === 'string') {
      pieces.push(part);
      length += part.length;
    } else {
      holes.set(length, part);
      pieces.push(HOLE);
      length += 1;
    }
  }
  return { text: pieces.join(''), holes };
}

export function holeAt(source: Source, offset: number): SqlHole | undefined {
  return source.text.charCodeAt(offset) === HOLE_CODE ? source.holes.get(offset) : undefined;
}
