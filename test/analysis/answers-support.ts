import { parseForESLint } from '@typescript-eslint/parser';
import type { TSESTree } from '@typescript-eslint/utils';
import { describe, expect, it } from 'vitest';
import { answerOf, type AnswerQuestion } from '../../src/analysis/answers/answers.js';
import type { Answer, ResultShape } from '../../src/analysis/model.js';
import { scopesOf, type Scopes } from '../../src/analysis/values/scopes.js';

type Options = Partial<Omit<AnswerQuestion, 'call' | 'scopes'>>;

export const PG: ResultShape = { rows: 'rows', counts: ['rowCount'], arrayRows: false };
export const ARRAY: ResultShape = { rows: undefined, counts: ['count'], arrayRows: false };
export const CELLS: ResultShape = { ...PG, arrayRows: true };
export const OK = { kind: 'column', name: 'ok', index: 0 } as const;
export const ROW = { kind: 'row' } as const;

export interface Parsed {
  readonly text: string;
  readonly nodes: readonly TSESTree.Node[];
  readonly scopes: Scopes;
}

export function parse(text: string): Parsed {
  const { ast, scopeManager, visitorKeys } = parseForESLint(text, { range: true, loc: true, ecmaFeatures: { jsx: false } });
  const nodes: TSESTree.Node[] = [];
  const visit = (node: TSESTree.Node, parent: TSESTree.Node | undefined): void => {
    (node as { parent: TSESTree.Node | undefined }).parent = parent;
    nodes.push(node);
    const fields = node as unknown as Record<string, TSESTree.Node | (TSESTree.Node | null)[] | null | undefined>;
    for (const key of visitorKeys[node.type] ?? []) {
      for (const child of [fields[key]].flat()) if (child) visit(child, node);
    }
  };
  visit(ast, undefined);
  return { text, nodes, scopes: scopesOf(scopeManager) };
}

/** The answer of the first call or tag of `q` in the body of an async function, or in a whole module. */
export function ask(code: string, options: Options = {}): Answer & { text: string } {
  const parsed = parse(code.startsWith('module;') ? code.slice(7) : `async function main() { ${code} }`);
  const isSender = (node: TSESTree.Node | undefined): boolean => node?.type === ('Identifier' as never) && (node as TSESTree.Identifier).name === 'q';
  const call = parsed.nodes.find((node) => isSender((node as TSESTree.CallExpression).callee) || isSender((node as TSESTree.TaggedTemplateExpression).tag));
  if (!call) throw new Error(`No q() in ${code}`);
  const answer = answerOf({
    call: call as TSESTree.CallExpression,
    shape: PG,
    callback: undefined,
    column: OK,
    returnsVoid: (node) => saysVoid(node as TSESTree.FunctionDeclaration, parsed.text),
    bodyOf: (callee) => bodyOf(callee, parsed.scopes),
    ...options,
    scopes: parsed.scopes,
  });
  return { ...answer, text: show(answer, parsed.text) };
}

/** Asks every snippet of a table for its answer. */
export function check(title: string, options: Options, table: readonly (readonly [code: string, answer: string])[]): void {
  describe(title, () => {
    it.each(table)('%s → %s', (code, answer) => {
      expect(ask(code, options).text).toBe(answer);
    });
  });
}

/** As a table has it: `read`, or `mistaken count: rows.length`. */
function show(answer: Answer, text: string): string {
  return answer.state === 'mistaken' ? `mistaken ${answer.tested}: ${text.slice(...answer.at.range)}` : answer.state;
}

function saysVoid({ returnType }: TSESTree.FunctionDeclaration, text: string): boolean {
  return returnType !== undefined && /^:\s*(?:void|Promise<void>)$/.test(text.slice(...returnType.range));
}

function bodyOf(callee: TSESTree.Expression, scopes: Scopes): TSESTree.Node | undefined {
  if (callee.type !== ('Identifier' as never)) return undefined;
  const node = scopes.variableOf(callee as TSESTree.Identifier)?.defs[0]?.node as TSESTree.Node | undefined;
  return node?.type === ('VariableDeclarator' as never) ? ((node as TSESTree.VariableDeclarator).init ?? undefined) : node;
}
