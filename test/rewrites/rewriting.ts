import type { ESLint, Rule } from 'eslint';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type ts from 'typescript';
import { factsOf } from '../../src/analysis/facts.js';
import { isSessionAcquire, isUnlock } from '../../src/analysis/pairs.js';
import { readAnswer, reserveConnection, type Rewrite } from '../../src/rewrites/index.js';
import { lint } from '../support/lint.js';

/** Which rewrite is asked for: of the first acquire of a file, or of its first unlock. */
export type Wanted = 'reserve' | 'throw' | 'warn';

/** What the rewrite makes of a file; `undefined` where none is offered. */
export function rewritten(wanted: Wanted, path: string, text: string, program: ts.Program | undefined): string | undefined {
  let made: string | undefined;
  const rule: Rule.RuleModule = {
    create: (context) => ({
      'Program:exit'() {
        const rewrite = rewriteOf(wanted, context.sourceCode as unknown as SourceCode, context.filename);
        made = rewrite && apply(text, rewrite);
      },
    }),
  };
  const probe: ESLint.Plugin = { meta: { namespace: 'probe' }, rules: { probe: rule } };
  const { failures } = lint(probe, path, text, { program });
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return made;
}

function rewriteOf(wanted: Wanted, sourceCode: SourceCode, path: string): Rewrite | undefined {
  const facts = factsOf(sourceCode, path, { typesOnDemand: false });
  const use = facts?.uses.find(wanted === 'reserve' ? isSessionAcquire : isUnlock);
  if (!facts || !use) throw new Error(`No lock in ${path}`);
  return wanted === 'reserve' ? reserveConnection(use, facts, facts.source) : readAnswer(use, facts, facts.source, wanted);
}

/** Ranges must not overlap, as ESLint asks for. */
function apply(text: string, { edits }: Rewrite): string {
  let out = '';
  let at = 0;
  for (const { range: [start, end], text: inserted } of [...edits].sort((one, other) => one.range[0] - other.range[0])) {
    if (start < at) throw new Error(`Edits overlap at ${start}`);
    out += text.slice(at, start) + inserted;
    at = end;
  }
  return out + text.slice(at);
}
