import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from '../analysis/values/names.js';
import { is, unwrap } from '../analysis/syntax.js';

/** What a test of a try-lock's answer says where it is true: `held`, `lost`, or `undefined` where that is not known for certain. */
export function meaningOf(test: TSESTree.Node): 'held' | 'lost' | undefined {
  const node = unwrap(test);
  switch (node.type as string) {
    case 'UnaryExpression':
      return is(node, 'UnaryExpression') && node.operator === '!' ? opposite(meaningOf(node.argument)) : undefined;
    case 'BinaryExpression':
      return is(node, 'BinaryExpression') ? ofComparison(node) : undefined;
    case 'LogicalExpression':
      return is(node, 'LogicalExpression') ? ofLogical(node) : undefined;
    case 'Identifier':
      return is(node, 'Identifier') ? ofName(node) : undefined;
    case 'MemberExpression':
    case 'CallExpression':
    case 'ChainExpression':
      return 'held';
    default:
      return undefined;
  }
}

const opposite = (meaning: 'held' | 'lost' | undefined): 'held' | 'lost' | undefined => (meaning === undefined ? undefined : meaning === 'held' ? 'lost' : 'held');

/** `!got || isLate` goes on only where the lock is held; `got && isDue` is true only there. */
function ofLogical({ operator, left, right }: TSESTree.LogicalExpression): 'held' | 'lost' | undefined {
  if (operator === '??') return meaningOf(left);
  const wanted = operator === '||' ? 'lost' : 'held';
  return [left, right].some((one) => meaningOf(one) === wanted) ? wanted : undefined;
}

/** A constant that is made of the answer says what that says. */
function ofName(name: TSESTree.Identifier): 'held' | 'lost' | undefined {
  const declarator = variableOf(name)?.defs[0]?.node as TSESTree.Node | undefined;
  const init = is(declarator, 'VariableDeclarator') && is(declarator.id, 'Identifier') && is(declarator.parent, 'VariableDeclaration') && declarator.parent.kind === 'const' && declarator.init ? unwrap(declarator.init) : undefined;
  const isTest = is(init, 'UnaryExpression') || is(init, 'BinaryExpression') || is(init, 'LogicalExpression') || is(init, 'Identifier');
  return isTest ? meaningOf(init) : 'held';
}

/** Compared with what there is of a lock that is held, or of none: `true`, one row, `null`. */
function ofComparison({ left, operator, right }: TSESTree.BinaryExpression): 'held' | 'lost' | undefined {
  const other = unwrap(right);
  const told = meaningOf(left);
  if (told === undefined) return undefined;
  if (is(other, 'Literal') && typeof other.value === 'number') {
    const [one, none] = [compare(1, operator, other.value), compare(0, operator, other.value)];
    return one === undefined || one === none ? undefined : one ? told : opposite(told);
  }
  const isEqual = /^===?$/.test(operator);
  if (!isEqual && !/^!==?$/.test(operator)) return undefined;
  const isThere = is(other, 'Literal') ? truthOf(other.value) : is(other, 'Identifier') && other.name === 'undefined' ? false : undefined;
  return isThere === undefined ? undefined : isThere === isEqual ? told : opposite(told);
}

/** PostgreSQL's own text for a boolean, too. */
function truthOf(value: TSESTree.Literal['value']): boolean | undefined {
  if (value === null || value === false || value === 'f' || value === 'false') return false;
  return value === true || value === 't' || value === 'true' ? true : undefined;
}

/** Whether a comparison of two numbers holds; `undefined` for another operator. */
export function compare(left: number, operator: string, right: number): boolean | undefined {
  switch (operator) {
    case '===':
    case '==':
      return left === right;
    case '!==':
    case '!=':
      return left !== right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    default:
      return undefined;
  }
}
