import type { SqlExpression } from '../../../src/sql/index.js';
import { children, only, texts, word, type Tree } from './real-tree.js';

/**
 * One text for an expression of the reader and of PostgreSQL's parser, equal where they mean the same. Operators and constructs count
 * by the values in them, in any order, since the reader keeps no precedence; calls and casts count as they are.
 */

export function shapeOfExpression(expr: SqlExpression): string {
  return valuesOfExpression(expr).join(' ');
}

function valuesOfExpression(expr: SqlExpression): string[] {
  switch (expr.kind) {
    case 'number':
      return [`#${expr.text}`];
    case 'string':
      return [`'${expr.value}'`];
    case 'null':
      return ['null'];
    case 'placeholder':
      return [`${expr.style}${expr.name}`];
    case 'hole':
      return [`hole ${expr.hole}`];
    case 'call':
      return [`${expr.name}(${expr.args.map(shapeOfExpression).join(',')})`];
    case 'cast':
      return [`(${shapeOfExpression(expr.of)})::${expr.type}`];
    case 'column':
      return [expr.path.join('.')];
    case 'other':
      return expr.parts.flatMap(valuesOfExpression).sort();
  }
}

/** Undefined for what the grammar turns into calls of its own: `a AT TIME ZONE b`, `extract(... FROM ...)`, `SIMILAR TO`. */
export function shapeOfTree(node: Tree): string | undefined {
  if (/COERCE_SQL_SYNTAX|similar_to_escape|like_escape/.test(JSON.stringify(node))) return undefined;
  return valuesOf(node).join(' ');
}

function valuesOf(node: Tree): string[] {
  const [type, fields] = only(node);
  switch (type) {
    case 'A_Const':
      return constant(fields);
    case 'ParamRef':
      return [`$${String(fields['number'])}`];
    case 'ColumnRef':
      return [texts(fields, 'fields').join('.')].filter((path) => !path.endsWith('*'));
    case 'TypeCast':
      return [`(${within(fields, 'arg').join(' ')})::${typeName(fields)}`];
    case 'FuncCall':
      return [call(texts(fields, 'funcname').join('.').replace(/^pg_catalog\./, ''), children(fields, 'args'))];
    case 'CoalesceExpr':
      return [call('coalesce', children(fields, 'args'))];
    case 'MinMaxExpr':
      return [call(fields['op'] === 'IS_GREATEST' ? 'greatest' : 'least', children(fields, 'args'))];
    case 'A_Expr':
      return operator(fields);
    case 'SubLink':
      return [...within(fields, 'testexpr'), ...parameters(fields['subselect'])].sort();
    case 'String':
    case 'A_Star':
    case 'SQLValueFunction':
      return [];
    case 'List':
      return all(fields, ['items']);
    default:
      return all(fields, ['arg', 'args', 'expr', 'result', 'defresult', 'elements', 'indirection', 'lidx', 'uidx']);
  }
}

function all(fields: Tree, keys: readonly string[]): string[] {
  return keys.flatMap((key) => within(fields, key)).sort();
}

/** The values in a field that has a node, a list, or nothing. */
function within(fields: Tree, key: string): string[] {
  const value = fields[key] as Tree | readonly Tree[] | undefined;
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Tree[]).flatMap(valuesOf) : valuesOf(value as Tree);
}

function call(name: string, args: readonly Tree[]): string {
  return `${name}(${args.map((arg) => valuesOf(arg).join(' ')).join(',')})`;
}

function constant(fields: Tree): string[] {
  if (fields['isnull'] === true) return ['null'];
  if (fields['ival'] !== undefined) return [`#${word({ ival: fields['ival'] }) ?? '0'}`];
  if (fields['sval'] !== undefined) return [`'${word({ sval: fields['sval'] }) ?? ''}'`];
  if (fields['fval'] === undefined) return [];
  const text = word({ fval: fields['fval'] })!.replaceAll('_', '');
  return [`#${/^-?\d+$|^0[xob]/i.test(text) ? BigInt(text).toString() : text}`];
}

function typeName(fields: Tree): string {
  const type = fields['typeName'] as Tree;
  const names = texts(type, 'names').filter((name, at) => at > 0 || name !== 'pg_catalog');
  return names.join('.') + (type['arrayBounds'] === undefined ? '' : '[]');
}

function operator(fields: Tree): string[] {
  if (fields['kind'] === 'AEXPR_NULLIF') return [call('nullif', [fields['lexpr'] as Tree, fields['rexpr'] as Tree])];
  return negated(fields) ?? all(fields, ['lexpr', 'rexpr']);
}

/** The reader takes a minus into a cast and into another minus, which changes no value. */
function negated(fields: Tree): string[] | undefined {
  if (fields['lexpr'] !== undefined || texts(fields, 'name')[0] !== '-') return undefined;
  const [text] = number(fields['rexpr'] as Tree) ?? [];
  return text === undefined ? undefined : [text.replace(/#(-?)(?!0\b(?!\.))/, (_, sign: string) => (sign === '' ? '#-' : '#'))];
}

function number(node: Tree): string[] | undefined {
  const [type, fields] = only(node);
  if (type === 'A_Expr') return negated(fields);
  const values = type === 'A_Const' ? constant(fields) : type === 'TypeCast' && number(fields['arg'] as Tree) ? valuesOf(node) : undefined;
  return values?.[0]?.includes('#') === true ? values : undefined;
}

function parameters(node: unknown): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const parameter = (value as Tree)['ParamRef'] as Tree | undefined;
    if (parameter) found.push(`$${String(parameter['number'])}`);
    Object.values(value).forEach(visit);
  };
  visit(node);
  return found;
}
