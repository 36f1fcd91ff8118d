import type { TSESTree } from '@typescript-eslint/utils';
import { shortSource } from '../analysis/quoting.js';
import type { FileFacts } from '../analysis/facts.js';
import type { Key, KeyPart, LockUse } from '../analysis/model.js';
import { functionAround, is } from '../analysis/syntax.js';

/** A key that a call in view gives to the function around a lock statement. */
export interface CallWithKey {
  readonly call: TSESTree.Node;
  readonly key: Key;
}

/** The keys that calls in view pass to the function around a lock statement whose key is made of its parameters: `42` for `withLock(42, work)`. */
export function passedKeys({ key, call }: LockUse, facts: FileFacts): CallWithKey[] {
  const names = key.parts.flatMap(namesIn);
  for (let at: TSESTree.Node = call.node, owner = functionAround(at); names.length > 0 && owner; at = owner, owner = functionAround(at)) {
    const params = owner.params.map((one) => (is(one, 'Identifier') ? one.name : is(one, 'AssignmentPattern') && is(one.left, 'Identifier') ? one.left.name : undefined));
    if (!names.every((one) => params.includes(one))) continue;
    return facts.callsOfFunctionAround(at).flatMap((one): CallWithKey[] => {
      const args = is(one, 'CallExpression', 'NewExpression') && !one.arguments.some((arg) => is(arg, 'SpreadElement')) ? one.arguments : [];
      const parts = key.parts.map((part) => filled(part, (name) => {
        const given = args[params.indexOf(name)];
        return given && valueOf(given, facts);
      }));
      return parts.every((part) => part !== undefined) ? [{ call: one, key: { parts } }] : [];
    });
  }
  return [];
}

function namesIn(part: KeyPart): string[] {
  if (part.kind === 'cast') return namesIn(part.of);
  if (part.kind === 'call') return part.args.flatMap(namesIn);
  return part.kind === 'expression' && part.fromParameter ? [part.text] : [];
}

/** The part with what is passed in the place of parameters; `undefined` where one is not passed. */
function filled(part: KeyPart, passed: (name: string) => KeyPart | undefined): KeyPart | undefined {
  if (part.kind === 'cast') {
    const of = filled(part.of, passed);
    return of && { ...part, of };
  }
  if (part.kind === 'call') {
    const args = part.args.map((one) => filled(one, passed));
    const { text, ...rest } = part;
    return args.every((one) => one !== undefined) ? { ...(text === undefined || namesIn(part).length > 0 ? rest : part), args } : undefined;
  }
  return part.kind === 'expression' && part.fromParameter ? passed(part.text) : part;
}

/** What an argument stands for; as the code writes it, where that is not in view. */
function valueOf(node: TSESTree.Node, facts: FileFacts): KeyPart {
  const part = facts.keyPartOf(node);
  return part.kind === 'unknown' ? { kind: 'unknown', text: shortSource(node) } : part;
}
