import type { Linter } from 'eslint';

/** Lints `text` as if it stood in the file. */
export type Lint = (text: string) => Promise<readonly Linter.LintMessage[]>;

export interface Applied {
  readonly ruleId: string | null;
  readonly line: number;
  readonly description: string;
}

export interface Rewritten {
  readonly text: string;
  readonly applied: readonly Applied[];
  /** What the linter still says of `text`. */
  readonly messages: readonly Linter.LintMessage[];
}

/** More than any file here needs; a suggestion that does not remove its report would go on for ever. */
const limit = 30;

/** Takes the first suggestion of the first report that has one, lints again, and goes on until no report has any. */
export async function applySuggestions(text: string, lint: Lint): Promise<Rewritten> {
  const applied: Applied[] = [];
  for (;;) {
    const messages = await lint(text);
    const message = messages.find(({ suggestions }) => suggestions && suggestions.length > 0);
    const suggestion = message?.suggestions?.[0];
    if (!message || !suggestion) return { text, applied, messages };
    if (applied.length === limit) throw new Error(`Still a suggestion after ${limit}: ${message.message}\n${text}`);
    const [start, end] = suggestion.fix.range;
    text = text.slice(0, start) + suggestion.fix.text + text.slice(end);
    applied.push({ ruleId: message.ruleId, line: message.line, description: suggestion.desc });
  }
}
