import type { Edit } from './model.js';
import type { Text} from './text.js';
import { type Change, type Line, type Range } from './text.js';

/** Changes of a file while a rewrite is put together: small ones first, then larger ones that take the small ones in. */
export class Draft {
  private changes: Change[] = [];

  constructor(readonly text: Text) {}

  /** Puts lines in the place of a range; earlier changes inside of it are gone, unless the lines were cut with them. */
  replace(range: Range, lines: readonly Line[]): void {
    this.changes = this.changes.filter((one) => !isIn(one.range, range));
    this.changes.push({ range, lines });
  }

  /** Puts lines before an offset. */
  insert(offset: number, lines: readonly Line[]): void {
    this.changes.push({ range: [offset, offset], lines });
  }

  /** A part of the file as it will be. */
  cut(range: Range): Line[] {
    return this.text.cut(range, this.changes.filter((one) => isIn(one.range, range)));
  }

  save(): readonly Change[] {
    return [...this.changes];
  }

  restore(saved: readonly Change[]): void {
    this.changes = [...saved];
  }

  edits(): Edit[] {
    return this.changes.map(({ range, lines }) => ({ range, text: this.text.print(lines, this.text.indentAt(range[0])) }));
  }
}

const isIn = (inner: Range, outer: Range): boolean => outer[0] <= inner[0] && inner[1] <= outer[1];
