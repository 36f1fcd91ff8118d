import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf } from '../../types/index.js';
import type { Makers } from '../values/makers.js';
import { functionOf, returnedBy } from '../values/names.js';
import type { Frame } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import type { SessionEnds } from './session-end.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, walk, type CallNode, type FunctionNode } from '../syntax.js';

/** What test frameworks run when a test is over, whether it has failed or not: Vitest, Jest, Mocha, Jasmine, Bun, `node:test`, tap, AVA, uvu, Playwright. */
const AFTER = /^(?:after|afterEach|afterAll|teardown|suiteTeardown|onTestFinished|tearDown|addTeardown)$/;
/** Those before it, which may give back what runs after it. */
const BEFORE = /^(?:before|beforeEach|beforeAll|setup|suiteSetup)$/;
const TEST = /^(?:it|test)$/;

/** How deep the functions are looked into that a teardown calls. */
const MAX_DEPTH = 3;

/** Whether the framework of a test ends a session, or frees its lock, when the test is over: then no lock stays with it, however the test ends. */
export class Teardowns {
  private readonly hooks = new Map<TSESTree.Node, readonly Hook[]>();

  constructor(private readonly origins: Origins, private readonly ends: SessionEnds) {}

  /** Whether what ends the connection is registered for the code of a function, or by the code that makes the connection. `freed`: the handle, where a statement may free the lock. */
  areEnding(makers: Makers, body: TSESTree.Node, freed: (node: TSESTree.Node) => TSESTree.Node | undefined): boolean {
    const places = [body, ...[...makers].map(({ node }) => node)];
    return this.isOfFixture(makers, body) || [...new Set(places.map((place) => treeOf(place).ast))].some((program) =>
      this.hooksIn(program).some(({ registered, run }) => places.some((place) => isRegisteredFor(registered, place)) && this.endsIn(run, { makers, freed }, { frame: undefined, depth: 0 })));
  }

  private hooksIn(program: TSESTree.Program): readonly Hook[] {
    let known = this.hooks.get(program);
    if (!known) this.hooks.set(program, known = [...walk(program)].flatMap((node) => (is(node, 'CallExpression') ? hooksAt(node) : [])));
    return known;
  }

  private endsIn(run: FunctionNode, lock: Lock, { frame, depth }: Entered): boolean {
    let isBack = false;
    for (const node of walk(run.body)) {
      if (!is(node, 'CallExpression', 'TaggedTemplateExpression')) continue;
      const release = is(node, 'CallExpression') ? this.ends.releaseAt(node, lock.makers, frame) : undefined;
      // What is sent to a client that went back before may be sent to a stranger's session.
      if (release === 'destroys' || (!isBack && this.isFreedAt(node, lock, frame))) return true;
      isBack ||= release === 'keeps';
      const entered = is(node, 'CallExpression') && depth < MAX_DEPTH ? this.origins.calleeOf(node, frame) : undefined;
      const makers = entered && is(node, 'CallExpression') ? this.ends.seenBy(node, entered.callee, lock.makers) : lock.makers;
      if (entered && this.endsIn(entered.callee, { ...lock, makers }, { frame: entered.frame, depth: depth + 1 })) return true;
    }
    return false;
  }

  private isFreedAt(node: CallNode, { makers, freed }: Lock, frame: Frame | undefined): boolean {
    const handle = freed(node);
    return handle ? this.ends.isAmong({ node: handle, frame }, makers) : this.ends.isDiscarding(node, makers);
  }

  /** `test('...', async ({ client }) => ...)`: whoever provides it also ends it. */
  private isOfFixture(makers: Makers, body: TSESTree.Node): boolean {
    const [provided] = isFunction(body) ? body.params : [];
    const call = body.parent;
    if (!is(provided, 'ObjectPattern') || !is(call, 'CallExpression') || !call.arguments.includes(body as never) || makers.size === 0) return false;
    const isGiven = [...makers].every(({ node }) => treeOf(node) === treeOf(provided) && contains(provided, node));
    return isGiven && (namesOf(call.callee).some((one) => TEST.test(one)) || this.isExtended(call.callee));
  }

  /** `const withClient = test.extend({ ... })` */
  private isExtended(callee: TSESTree.Node): boolean {
    return this.origins.of({ node: callee, frame: undefined }).some(({ node }) => is(node, 'CallExpression') && isMember(node.callee) && memberName(node.callee) === 'extend');
  }
}

interface Lock {
  readonly makers: Makers;
  readonly freed: (node: TSESTree.Node) => TSESTree.Node | undefined;
}

/** How a function is come into, and how deep that is. */
interface Entered {
  readonly frame: Frame | undefined;
  readonly depth: number;
}

interface Hook {
  /** The call that registers it. */
  readonly registered: TSESTree.CallExpression;
  readonly run: FunctionNode;
}

function hooksAt(registered: TSESTree.CallExpression): Hook[] {
  const names = namesOf(registered.callee);
  const given = registered.arguments.flatMap((one) => functionAt(one) ?? []);
  const isBefore = names.some((one) => BEFORE.test(one));
  const functions = names.some((one) => AFTER.test(one)) ? given : isBefore ? given.flatMap((one) => returnedBy(one).flatMap((back) => functionAt(back) ?? [])) : [];
  return functions.map((run) => ({ registered, run }));
}

/** At the top of a file, around the code, or in the code that makes the connection. */
function isRegisteredFor(registered: TSESTree.CallExpression, place: TSESTree.Node): boolean {
  const around = functionAround(registered);
  return !around || (treeOf(around) === treeOf(place) && contains(around, place));
}

function functionAt(value: TSESTree.Node): FunctionNode | undefined {
  const node = uncast(value);
  return isFunction(node) ? node : is(node, 'Identifier') ? functionOf(node) : undefined;
}

/** `test.after.always` in its parts. */
function namesOf(callee: TSESTree.Node): string[] {
  if (is(callee, 'Identifier')) return [callee.name];
  return isMember(callee) ? [...namesOf(callee.object), memberName(callee) ?? ''] : [];
}
