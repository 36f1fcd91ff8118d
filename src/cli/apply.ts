import type { ESLint, Linter } from 'eslint';
import { writeFileSync } from 'node:fs';

/** What a quick fix does, as its title says, and how often that was applied. */
export type Applied = Map<string, number>;

const BOM = '\uFEFF';

/**
 * Applies the fixes of a file that do not touch each other, as ESLint does with `--fix`; the others have to be asked for anew. ESLint does
 * not tell what it has applied.
 */
export function apply({ filePath, source, messages }: ESLint.LintResult, applied: Applied): boolean {
  const mark = source?.startsWith(BOM) === true ? BOM : '';
  const text = (source ?? '').slice(mark.length);
  let done = '';
  let position = 0;
  for (const { fix, title } of fixesOf(messages)) {
    if (fix.range[0] < position) continue;
    done += text.slice(position, fix.range[0]) + fix.text;
    position = fix.range[1];
    applied.set(title, (applied.get(title) ?? 0) + 1);
  }
  if (position === 0) return false;
  writeFileSync(filePath, mark + done + text.slice(position));
  return true;
}

function fixesOf(messages: readonly Linter.LintMessage[]): { readonly fix: NonNullable<Linter.LintMessage['fix']>; readonly title: string }[] {
  return messages.flatMap(({ fix, suggestions }) => (fix ? [{ fix, title: suggestions?.[0]?.desc ?? '' }] : [])).sort((one, other) => one.fix.range[0] - other.fix.range[0] || one.fix.range[1] - other.fix.range[1]);
}
