import { statSync, type Stats } from 'node:fs';

interface Entry<Value> {
  value: Value;
  /** When the file or folder was changed last. */
  time: number | undefined;
  /** Until when a value that may not be that of the disk counts, in milliseconds of `performance`. */
  freshUntil: number;
}

/** How long what an editor has counts, when it is not told of again: nobody tells of a tab that was closed without saving. */
const FRESH = 120_000;

/** What was read of files and folders. */
export class Kept<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  /** @param read is given what is known of a place before it is read: what is written in between is then read again */
  constructor(private readonly read: (place: string, stats: Stats | undefined) => Value, private readonly isSame: (one: Value, other: Value) => boolean) {}

  has(place: string): boolean {
    return this.entries.has(place);
  }

  get(place: string): Value {
    const known = this.entries.get(place);
    if (known) return known.value;
    const stats = statsOf(place);
    const value = this.read(place, stats);
    this.entries.set(place, { value, time: stats?.mtimeMs, freshUntil: Infinity });
    return value;
  }

  /** What an editor has of a file, saved or not. Whether something else was known of it. */
  put(place: string, value: Value): boolean {
    const known = this.entries.get(place);
    this.entries.set(place, { value: known && this.isSame(known.value, value) ? known.value : value, time: statsOf(place)?.mtimeMs, freshUntil: performance.now() + FRESH });
    return known !== undefined && !this.isSame(known.value, value);
  }

  /** Reads anew what was changed on disk; whether anything is not as it was. */
  look(): boolean {
    let isChanged = false;
    const now = performance.now();
    for (const [place, entry] of this.entries) {
      const stats = statsOf(place);
      if (stats?.mtimeMs === entry.time && now <= entry.freshUntil) continue;
      const value = this.read(place, stats);
      if (!this.isSame(entry.value, value)) isChanged = true;
      this.entries.set(place, { value, time: stats?.mtimeMs, freshUntil: Infinity });
    }
    return isChanged;
  }
}

/** `undefined` for what is not there. */
export function statsOf(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined; // a folder that may not be read, a name that is too long
  }
}
