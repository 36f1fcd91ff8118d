import type { ESLint, Rule } from 'eslint';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type ts from 'typescript';
import { factsOf } from '../../src/analysis/facts.js';
import { isSessionAcquire, isUnlock } from '../../src/analysis/pairs.js';
import { addUnlock, letErrorThrough, readAnswer, reserveConnection, unlockInFinally, type Rewrite } from '../../src/rewrites/index.js';
import { lint } from '../support/lint.js';

/** Which rewrite is asked for: of the first acquire of a file, of its first unlock, or of the first lock that some path leaves. */
export type Wanted = 'reserve' | 'throw' | 'warn' | 'leak';

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
  const facts = factsOf(sourceCode, path);
  if (facts && wanted === 'leak') {
    const [leaked] = facts.held.leaked;
    if (!leaked) throw new Error(`No lock is left in ${path}`);
    const rewrite = leaked.leak.kind === 'swallowed' ? letErrorThrough : leaked.unlock ? unlockInFinally : addUnlock;
    return rewrite(leaked, facts, sourceCode);
  }
  const use = facts?.uses.find(wanted === 'reserve' ? isSessionAcquire : isUnlock);
  if (!facts || !use) throw new Error(`No lock in ${path}`);
  return wanted === 'reserve' || wanted === 'leak' ? reserveConnection(use, facts, sourceCode) : readAnswer(use, facts, sourceCode, wanted);
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
