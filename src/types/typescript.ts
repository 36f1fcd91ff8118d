import { createRequire } from 'node:module';
import type ts from 'typescript';

const require = createRequire(import.meta.url);

export type TypeScript = typeof ts;

let loaded: TypeScript | null | undefined;

/**
 * TypeScript's API, loaded when it is first needed (importing it costs 200 ms). `undefined` where it is not installed or has no
 * JavaScript API: TypeScript 7 is a native program, and `typescript-eslint` does not run on it either.
 */
export function typescript(): TypeScript | undefined {
  if (loaded === undefined) {
    loaded = null;
    try {
      const found = require('typescript') as Partial<TypeScript>;
      if (typeof found.createProgram === 'function') loaded = found;
      else warnOnce(`TypeScript ${found.version ?? ''} has no JavaScript API that linters can use, so advisory locks are judged by the imports of each file alone. To have full verdicts, install TypeScript 6 beside it: npm install --save-dev typescript@npm:@typescript/typescript6 typescript-7@npm:typescript@7`);
    } catch {
      // Not installed: the file's own imports and scopes must do.
    }
  }
  return loaded ?? undefined;
}

const warned = new Set<string>();

function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: 'Warning', code: 'PG_ADVISORY_LOCK_TYPES' });
}

export type Estree = typeof import('@typescript-eslint/typescript-estree');

/** The converter from TypeScript's tree to ESTree. It pulls TypeScript in, hence late. */
export function estree(): Estree {
  return require('@typescript-eslint/typescript-estree') as Estree;
}

/** The scopes of a file; what a script has at its top is CommonJS, and its own. */
export function analyzeScopes(ast: unknown, isModule: boolean): unknown {
  const { analyze } = require('@typescript-eslint/scope-manager') as typeof import('@typescript-eslint/scope-manager');
  return analyze(ast as Parameters<typeof analyze>[0], { sourceType: isModule ? 'module' : 'script', globalReturn: !isModule, lib: [] });
}
