import type { TSESTree } from '@typescript-eslint/utils';
import { enter } from './frames.js';
import { classMember } from './members.js';
import type { Frame } from './origin.js';
import { is, walk, type ClassNode } from '../syntax.js';

/** How many classes that extend one another are looked at. */
const MAX_BASES = 5;

/** The constructors that a `new` runs, entered one from the other: a class without one of its own gets all that its base is made of, `super(sql)` what it passes. */
export function constructing(owner: ClassNode, made: TSESTree.NewExpression, frame: Frame | undefined, baseOf: (owner: ClassNode) => ClassNode | undefined): Frame | undefined {
  let entered: Frame | undefined;
  let args = made.arguments;
  let at: ClassNode | undefined = owner;
  for (let bases = 0; at && bases < MAX_BASES; bases += 1) {
    const own: ReturnType<typeof classMember>['constructorFunction'] = classMember(at, 'constructor').constructorFunction;
    if (own) entered = enter(own, args, made, entered ?? frame);
    at = at.superClass ? baseOf(at) : undefined;
    const inner = own && at ? walk(own.body).find((node) => is(node, 'CallExpression') && is(node.callee, 'Super')) : undefined;
    if (own && !is(inner, 'CallExpression')) return entered;
    if (is(inner, 'CallExpression')) args = inner.arguments;
  }
  return entered;
}
