import type { Edit, Rewrite } from './model.js';
import type { Text } from './text.js';
import { surround, type Change, type Line, type Range } from './text.js';

/** Changes of a file while a rewrite is put together: small ones first, then larger ones that take the small ones in. */
export class Draft {
  private changes: readonly Change[] = [];
  /** Changes met in a way that leaves open what comes out: there is no rewrite. */
  private isBroken = false;

  constructor(readonly text: Text) {}

  /** Puts lines in the place of a range; earlier changes inside of it are gone, unless the lines were cut with them. */
  replace(range: Range, lines: readonly Line[]): void {
    const kept = this.changes.filter((one) => !isIn(one.range, range));
    this.isBroken ||= kept.some((one) => isCut(one.range, range));
    this.changes = [...kept, { range, lines }];
  }

  /** Puts lines before an offset, behind what was put there before. They are indented as the line of `base` is. */
  insert(offset: number, lines: readonly Line[], base = offset): void {
    const range: Range = [offset, offset];
    const there = this.changes.find((one) => one.range[0] === offset && one.range[1] === offset);
    this.isBroken ||= this.changes.some((one) => isCut(one.range, range)) || (there !== undefined && (there.base ?? offset) !== base);
    this.changes = [...this.changes.filter((one) => one !== there), { range, lines: there ? joined(there.lines, lines) : lines, base }];
  }

  /** A part of the file as it will be. */
  cut(range: Range): Line[] {
    return this.text.cut(range, this.changes.filter((one) => isIn(one.range, range)));
  }

  /** Gives what takes the draft back to where it is now. */
  save(): () => void {
    const { changes, isBroken } = this;
    return () => {
      this.changes = changes;
      this.isBroken = isBroken;
    };
  }

  /** `undefined` where changes are in each other's way. */
  rewrite(): Rewrite | undefined {
    return this.isBroken ? undefined : { edits: this.edits() };
  }

  private edits(): Edit[] {
    const { text } = this;
    const edits = this.changes.map(({ range, lines, base }) => ({ range, text: text.print(lines, text.indentAt(base ?? range[0])) }));
    // A line begins there, unless something else has taken the place.
    const breaks = text.breaks.filter(({ range }) => !this.changes.some((one) => isCut(one.range, range)));
    return [...edits, ...breaks.map(({ range, indent }) => ({ range, text: text.style.newline + indent }))];
  }
}

const joined = (lines: readonly Line[], [first, ...more]: readonly Line[]): Line[] => [...surround('', lines, first?.text ?? ''), ...more];

/** Whether two ranges share a part of the text, or one lies within the other. */
const isCut = (one: Range, other: Range): boolean => one[0] < other[1] && other[0] < one[1];

const isIn = (inner: Range, outer: Range): boolean => outer[0] <= inner[0] && inner[1] <= outer[1];
