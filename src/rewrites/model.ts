
/** One replacement of text; ranges are offsets in the linted file. */
export interface Edit {
  readonly range: readonly [number, number];
  readonly text: string;
}

/** Edits that belong together, and what they do in a few words that an editor can show. */
export interface Rewrite {
  readonly edits: readonly Edit[];
  readonly title: string;
}

