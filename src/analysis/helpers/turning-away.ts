import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { Frame } from '../values/origin.js';
import { sourceOf } from '../../types/index.js';
import { variableOf } from '../values/names.js';
import { ancestor, classAround, contains, is, isFunction, uncast, walk, type CallNode, type FunctionNode } from '../syntax.js';

/** Syntax under which a statement may not run, or more than once. */
export const CONDITIONAL = /^(?:If|Switch|For|ForOf|ForIn|While|DoWhile)Statement$|^(?:Conditional|Logical)Expression$|^CatchClause$/;

/**
 * Whether code before a statement, or around it, asks what its handle is: a condition with the handle in it, or a function that is given
 * it. Of any other condition a pool that is passed is as wrong as without, unless the call itself says by `true` or `false` which way it goes:
 * `frame` is that of a call whose conditions are open.
 */
export function mayTurnAway(callee: FunctionNode, call: CallNode, handle: TSESTree.Node, frame: Frame | undefined): boolean {
  // Of what another function hands on, the handle is one of the arguments.
  const sender = contains(call, handle) ? [handle] : is(call, 'CallExpression') ? [call] : [];
  const names = new Set(sender.flatMap((one) => [...walk(one)].filter(isName).map((name) => sourceOf(name))));
  const isAsking = (one: TSESTree.Node): boolean => (is(one, 'CallExpression') ? one.arguments.some((argument) => names.has(sourceOf(argument))) : CONDITIONAL.test(one.type) && asksFor(testsBefore(one, call), names, callee, frame));
  const owner = names.has('this') ? classAround(callee) : undefined;
  const constructing = owner?.body.body.find((one) => is(one, 'MethodDefinition') && one.kind === 'constructor');
  const isBefore = (one: TSESTree.Node): boolean => one.range[1] <= call.range[0] || (contains(one, call) && CONDITIONAL.test(one.type));
  const choices = choicesOf(handle, callee);
  return [...walk(callee.body, isFunction)].some((one) => one !== call && isBefore(one) && !choices.has(one) && isAsking(one)) || (constructing !== undefined && [...walk(constructing)].some((one) => CONDITIONAL.test(one.type)));
}

/**
 * The conditions that do no more than to choose which handle a variable stands for: `const q = client ?? pool`, `if (client) q = client`. What
 * is chosen for a call is followed with what it passes. Where nothing may be chosen, the statement may not be sent at all.
 */
function choicesOf(handle: TSESTree.Node, callee: FunctionNode): ReadonlySet<TSESTree.Node> {
  const found = new Set<TSESTree.Node>();
  const seen = new Set<Scope.Variable>();
  const look = (node: TSESTree.Node): void => {
    for (const one of walk(node, isFunction)) {
      if (isChoice(one)) found.add(one);
      const variable = is(one, 'Identifier') ? variableOf(one) : undefined;
      if (!variable || seen.has(variable) || !variable.identifiers.some((name) => contains(callee.body, name))) continue;
      seen.add(variable);
      for (const { writeExpr, identifier } of variable.references) {
        if (!writeExpr) continue;
        const around = choosing(identifier, seen);
        if (around) found.add(around);
        look(writeExpr);
      }
    }
  };
  look(handle);
  return found;
}

/** `a ?? b`, `a || b`, `a ? b : c` of values that are there. */
function isChoice(node: TSESTree.Node): boolean {
  if (is(node, 'LogicalExpression')) return node.operator !== '&&' && !isNothing(node.right);
  return is(node, 'ConditionalExpression') && !isNothing(node.consequent) && !isNothing(node.alternate);
}

/** The `if` that does nothing but write what has been looked at: `if (client) q = client; else q = pool`. */
function choosing(written: TSESTree.Node, variables: ReadonlySet<Scope.Variable>): TSESTree.IfStatement | undefined {
  const condition = ancestor(written, (one) => is(one, 'IfStatement'));
  if (!is(condition, 'IfStatement')) return undefined;
  const statements = [condition.consequent, ...(condition.alternate ? [condition.alternate] : [])].flatMap((one) => (is(one, 'BlockStatement') ? one.body : [one]));
  const isWriting = (one: TSESTree.Statement): boolean => {
    const write = is(one, 'ExpressionStatement') ? one.expression : undefined;
    const variable = is(write, 'AssignmentExpression') && is(write.left, 'Identifier') ? variableOf(write.left) : undefined;
    return variable !== undefined && variables.has(variable) && !isNothing((write as TSESTree.AssignmentExpression).right);
  };
  return statements.every(isWriting) ? condition : undefined;
}

function isNothing(node: TSESTree.Node): boolean {
  const at = uncast(node);
  return (is(at, 'Literal') && !at.raw.startsWith('/') && !at.value) || (is(at, 'Identifier') && at.name === 'undefined');
}

const isName = (one: TSESTree.Node): boolean => is(one, 'Identifier', 'ThisExpression');

/** Whether tests may tell a pool from a connection, or are decided by a constant that the call passes. */
function asksFor(tests: readonly TSESTree.Node[] | undefined, names: ReadonlySet<string>, callee: FunctionNode, frame: Frame | undefined): boolean {
  return tests === undefined || tests.some((test) => [...walk(test)].some((one) => isName(one) && (names.has(sourceOf(one)) || (frame !== undefined && isDecided(one, callee, frame)))));
}

/** What decides whether a statement runs; `undefined` where a condition does more than to let code run or not. `(await statement) ?? false` asks of what it gives. */
function testsBefore(condition: TSESTree.Node, call: CallNode): TSESTree.Node[] | undefined {
  const tests = is(condition, 'IfStatement', 'ConditionalExpression') ? [condition.test] : is(condition, 'LogicalExpression') ? [condition.left, condition.right] : undefined;
  const at = tests?.findIndex((test) => contains(test, call)) ?? -1;
  return at < 0 ? tests : tests?.slice(0, at);
}

/** A parameter for which the call passes nothing, or a literal that is no key: `lock(pool, 1, false)`. */
function isDecided(name: TSESTree.Node, callee: FunctionNode, frame: Frame): boolean {
  const variable = is(name, 'Identifier') ? variableOf(name) : undefined;
  const index = callee.params.findIndex((param) => variable?.identifiers.some((one) => contains(param, one)) === true);
  if (index < 0) return false;
  const given = frame.args[index];
  return !given || is(given, 'ObjectExpression') || (is(given, 'Literal') && typeof given.value !== 'number' && typeof given.value !== 'bigint') || (is(given, 'Identifier') && given.name === 'undefined');
}
