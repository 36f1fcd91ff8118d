
/** One replacement of text; ranges are offsets in the linted file. */
export interface Edit {
  readonly range: readonly [number, number];
  readonly text: string;
}

/** Edits that belong together; the rule that offers them says what they do. */
export interface Rewrite {
  readonly edits: readonly Edit[];
}

