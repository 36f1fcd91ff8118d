import type { Expr, Query } from './nodes.js';
import { outputsOf } from './outputs.js';

/**
 * What PostgreSQL calls an output column that has no alias: `FigureColname` in
 * https://github.com/postgres/postgres/blob/master/src/backend/parser/parse_target.c
 */
export function columnName(expr: Expr): string {
  return nameOf(expr)?.name ?? '?column?';
}

/** A weak name gives way to a stronger one outside of it. */
interface Name {
  readonly name: string;
  readonly weak: boolean;
}

function strong(name: string): Name {
  return { name, weak: false };
}

function nameOf(expr: Expr): Name | undefined {
  switch (expr.kind) {
    case 'column':
      return expr.path.length > 0 ? strong(expr.path.at(-1)!) : undefined;
    case 'call':
      return strong(expr.name);
    case 'constant':
      return nameOfConstant(expr.word);
    case 'cast': {
      const inner = nameOf(expr.of);
      return inner && !inner.weak ? inner : { name: expr.type.replace(/\[\]$/, '').split('.').at(-1)!, weak: true };
    }
    case 'case': {
      const otherwise = expr.otherwise && nameOf(expr.otherwise);
      return otherwise && !otherwise.weak ? otherwise : { name: 'case', weak: true };
    }
    case 'subquery':
      return nameOfSubquery(expr.use, expr.query);
    case 'items':
      return strong(expr.of);
    case 'operation':
      return nameOfOperation(expr.columnName, expr.skeleton, expr.parts);
    default:
      return undefined;
  }
}

/** TRUE is a cast to `bool` for the parser's older versions and for its names. */
function nameOfConstant(word: string): Name | undefined {
  if (word === 'true' || word === 'false') return { name: 'bool', weak: true };
  return word === 'default' || word === 'one' ? undefined : strong(word);
}

function nameOfSubquery(use: 'scalar' | 'exists' | 'array' | 'member', query: Query): Name | undefined {
  if (use === 'exists' || use === 'array') return strong(use);
  if (use === 'member') return undefined;
  const first = outputsOf(query, undefined).slots[0]?.name;
  return first === undefined ? undefined : strong(first);
}

function nameOfOperation(name: string | undefined, skeleton: string, parts: readonly Expr[]): Name | undefined {
  if (name !== undefined) return strong(name);
  return skeleton.startsWith('{}[') ? nameOf(parts[0]!) : undefined;
}
