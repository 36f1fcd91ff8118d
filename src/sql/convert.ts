import type { Token } from './lexer.js';
import type { SqlExpression } from './model.js';
import type { Expr } from './nodes.js';

/** From the parser's tree to the expressions that other rooms see. */
export function toExpression(expr: Expr, tokens: readonly Token[]): SqlExpression {
  const all = (exprs: readonly Expr[]): SqlExpression[] => exprs.map((part) => toExpression(part, tokens));
  switch (expr.kind) {
    case 'literal':
      return expr.value;
    case 'constant':
      return { kind: 'other', text: expr.word, parts: [] };
    case 'column':
      return expr.star ? { kind: 'other', text: [...expr.path, '*'].join('.'), parts: [] } : { kind: 'column', path: expr.path };
    case 'call':
      return { kind: 'call', name: expr.builtin ? expr.name : expr.path.join('.'), args: all(expr.args) };
    case 'cast':
      return { kind: 'cast', type: expr.type, of: toExpression(expr.of, tokens) };
    case 'logic': {
      const text = expr.operator === 'not' ? 'not {}' : expr.parts.map(() => '{}').join(` ${expr.operator} `);
      return { kind: 'other', text, parts: all(expr.parts) };
    }
    case 'test':
      return { kind: 'other', text: expr.skeleton, parts: all([expr.of, ...expr.with]) };
    case 'operation':
      return { kind: 'other', text: expr.skeleton, parts: all(expr.parts) };
    case 'items':
      return { kind: 'other', text: `${expr.of}(${expr.items.map(() => '{}').join(', ')})`, parts: all(expr.items) };
    case 'case': {
      const pairs = expr.conditions.flatMap((condition, at) => (expr.results[at] ? [condition, expr.results[at]] : [condition]));
      const parts = [...(expr.subject ? [expr.subject] : []), ...pairs, ...(expr.otherwise ? [expr.otherwise] : [])];
      const text = `case${expr.subject ? ' {}' : ''}${expr.conditions.map(() => ' when {} then {}').join('')}${expr.otherwise ? ' else {}' : ''} end`;
      return { kind: 'other', text, parts: all(parts) };
    }
    case 'subquery':
      return textOf(tokens, expr.first, expr.last, expr.use);
    case 'opaque':
      return { kind: 'other', text: '', parts: [] };
  }
}

/** The text of a query, with its placeholders and holes taken out of it. */
function textOf(tokens: readonly Token[], first: number, last: number, use: string): SqlExpression {
  const words = [use];
  const parts: SqlExpression[] = [];
  for (let at = first; at < last; at += 1) {
    const token = tokens[at]!;
    if (token.kind === 'placeholder') parts.push({ kind: 'placeholder', style: token.style!, name: token.value });
    else if (token.kind === 'hole') parts.push({ kind: 'hole', hole: token.hole! });
    for (const piece of token.pieces ?? []) if (typeof piece === 'number') parts.push({ kind: 'hole', hole: piece });
    words.push(token.kind === 'placeholder' || token.kind === 'hole' ? '{}' : quoteLike(token));
  }
  return { kind: 'other', text: words.join(' '), parts };
}

function quoteLike(token: Token): string {
  if (token.kind === 'string') return `'${(token.pieces ?? [token.value]).map((piece) => (typeof piece === 'string' ? piece.replaceAll("'", "''") : '{}')).join('')}'`;
  return token.kind === 'name' ? `"${token.value}"` : token.value;
}
