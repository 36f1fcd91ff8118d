import type { TSESTree } from '@typescript-eslint/utils';
import type { Answer, SqlCall } from '../analysis/model.js';
import { variableOf } from '../analysis/values/names.js';
import { driverOf } from '../analysis/regions.js';
import { contains, is, isMember, memberName, staticName } from '../analysis/syntax.js';
import type { Columns } from './columns.js';
import { rowsPath, safe } from './columns.js';
import type { Draft } from './draft.js';
import { compare } from './guards.js';
import type { Spans } from './spans.js';
import { linesOf } from './text.js';

/** A test of something that is always there, turned into a test of the answer. */
export class Mistaken {
  /** `rows`: the property of the result that holds the rows; `undefined` where the result is the array of them. */
  constructor(private readonly draft: Draft, private readonly spans: Spans, private readonly rows: string | undefined) {}

  correct({ tested, at }: Answer & { state: 'mistaken' }, call: SqlCall, { names, paths }: Columns): boolean {
    const [name = '', ...more] = names;
    if (more.length > 0) return false;
    if (tested === 'column') return this.rename(at, name);
    const test = testAround(at);
    const expression = test && this.answer(tested, at, call, paths[0]!);
    if (expression === undefined) return false;
    this.draft.replace(test!.node.range, linesOf(`${expression} ${test!.isPositive ? '===' : '!=='} true`));
    return true;
  }

  /** `row.ok` where the column is `freed`. */
  private rename(at: TSESTree.Node, name: string): boolean {
    // The name of the function itself is what an unnamed column has: then it may be the SQL that is wrong.
    if (!isMember(at) || at.computed || !/^[A-Za-z_$][\w$]*$/.test(name) || /advisory/i.test(memberName(at) ?? '')) return false;
    this.draft.replace(at.property.range, linesOf(name));
    return true;
  }

  /** The expression of the answer, from that of what is tested. */
  private answer(tested: 'result' | 'rows' | 'row' | 'count', at: TSESTree.Node, call: SqlCall, path: string): string | undefined {
    const rows = rowsPath(this.rows);
    const text = is(at, 'AwaitExpression') ? `(${this.draft.text.of(at)})` : this.draft.text.of(at);
    switch (tested) {
      case 'result':
        return `${text}${rows}[0]${safe(path)}`;
      case 'rows':
        return `${text}[0]${safe(path)}`;
      case 'row':
        return text + safe(path);
      case 'count':
        return isMember(at) ? this.ofCount(at, call, rows, path) : this.ofCountName(at, call, path);
    }
  }

  /** `result.rowCount`, `rows.length` */
  private ofCount(at: TSESTree.MemberExpression, { result }: SqlCall, rows: string, path: string): string | undefined {
    const text = this.draft.text.of({ range: this.spans.withParentheses(at.object) });
    const name = memberName(at);
    if (name === 'length') return `${text}[0]${safe(path)}`;
    return name !== undefined && result.counts.includes(name) ? `${text}${rows}[0]${safe(path)}` : undefined;
  }

  /** `const { rowCount } = await ...`: the rows are taken in its place, where nothing else needs it. */
  private ofCountName(at: TSESTree.Node, call: SqlCall, path: string): string | undefined {
    const variable = is(at, 'Identifier') ? variableOf(at) : undefined;
    const declarator = variable?.defs[0]?.node as TSESTree.Node | undefined;
    const uses = variable?.references.filter((one) => one.isRead()) ?? [];
    if (!is(declarator, 'VariableDeclarator') || !is(declarator.id, 'ObjectPattern') || !declarator.init || !contains(declarator.init, call.node) || uses.length !== 1) return undefined;
    const [property, ...more] = declarator.id.properties;
    if (!is(property, 'Property') || more.length > 0 || !call.result.counts.includes(staticName(property.key, property.computed) ?? '') || !driverOf(call)) return undefined;
    const name = this.rows ?? 'rows';
    if (variable!.scope.set.has(name)) return undefined;
    this.draft.replace(this.rows === undefined ? declarator.id.range : property.range, linesOf(name));
    return `${name}[0]${safe(path)}`;
  }
}

interface Test {
  /** The whole expression that is true or false. */
  readonly node: TSESTree.Node;
  /** Whether it is true where the tested thing is there. */
  readonly isPositive: boolean;
}

/** The boolean expression that asks whether something is there; `undefined` for one that asks more. */
function testAround(at: TSESTree.Node): Test | undefined {
  const compared = is(at.parent, 'BinaryExpression') ? comparison(at.parent, at) : { node: at, isPositive: true };
  return compared && negations(compared);
}

function negations(test: Test): Test | undefined {
  const parent = test.node.parent;
  if (is(parent, 'UnaryExpression') && parent.operator === '!') return negations({ node: parent, isPositive: !test.isPositive });
  if (is(parent, 'CallExpression') && is(parent.callee, 'Identifier') && parent.callee.name === 'Boolean') return { ...test, node: parent };
  const isBoolean = is(test.node, 'BinaryExpression') || is(test.node, 'UnaryExpression');
  const isTested = (is(parent, 'IfStatement') || is(parent, 'ConditionalExpression') || is(parent, 'WhileStatement')) && parent.test === test.node;
  const isOperand = is(parent, 'LogicalExpression') && parent.operator !== '??';
  return isBoolean || isTested || isOperand ? test : undefined;
}

/** `count === 1`, `count > 0`, `row !== undefined`: whether it holds for one and not for none, or the other way round. */
function comparison(node: TSESTree.BinaryExpression, at: TSESTree.Node): Test | undefined {
  if (node.left !== at) return undefined;
  const { right, operator } = node;
  if (is(right, 'Literal') && typeof right.value === 'number') {
    const [one, none] = [compare(1, operator, right.value), compare(0, operator, right.value)];
    return one === undefined || one === none ? undefined : { node, isPositive: one };
  }
  const isNothing = (is(right, 'Literal') && right.value === null) || (is(right, 'Identifier') && right.name === 'undefined');
  return isNothing && /^[!=]==?$/.test(operator) ? { node, isPositive: operator.startsWith('!') } : undefined;
}
