import type { TSESTree } from '@typescript-eslint/utils';
import { shortSource } from '../analysis/connections/connections.js';
import type { FileFacts } from '../analysis/facts.js';
import { keyText } from '../analysis/keys/text.js';
import type { KeyPart, LockUse } from '../analysis/model.js';
import { functionAround, is } from '../analysis/syntax.js';

/** The keys that calls in view pass to the function around a lock statement whose key is made of its parameters: `42` for `withLock(42, work)`. */
export function passedKeys({ key, call }: LockUse, facts: FileFacts): string[] {
  const names = key.parts.flatMap(namesIn);
  for (let at: TSESTree.Node = call.node, owner = functionAround(at); names.length > 0 && owner; at = owner, owner = functionAround(at)) {
    const params = owner.params.map((one) => (is(one, 'Identifier') ? one.name : is(one, 'AssignmentPattern') && is(one.left, 'Identifier') ? one.left.name : undefined));
    if (!names.every((one) => params.includes(one))) continue;
    return [...new Set(facts.callsOfFunctionAround(at).flatMap((one) => {
      const args = is(one, 'CallExpression', 'NewExpression') && !one.arguments.some((arg) => is(arg, 'SpreadElement')) ? one.arguments : [];
      const parts = key.parts.map((part) => filled(part, (name) => args[params.indexOf(name)]));
      return parts.every((part) => part !== undefined) ? [keyText({ parts })] : [];
    }))];
  }
  return [];
}

function namesIn(part: KeyPart): string[] {
  if (part.kind === 'cast') return namesIn(part.of);
  if (part.kind === 'call') return part.args.flatMap(namesIn);
  return part.kind === 'expression' && part.fromParameter ? [part.text] : [];
}

/** The part with what is passed in the place of parameters; `undefined` where one is not passed. */
function filled(part: KeyPart, passed: (name: string) => TSESTree.Node | undefined): KeyPart | undefined {
  if (part.kind === 'cast') {
    const of = filled(part.of, passed);
    return of && { ...part, of };
  }
  if (part.kind === 'call') {
    const args = part.args.map((one) => filled(one, passed));
    const { text, ...rest } = part;
    return args.every((one) => one !== undefined) ? { ...(text === undefined || namesIn(part).length > 0 ? rest : part), args } : undefined;
  }
  if (part.kind !== 'expression' || !part.fromParameter) return part;
  const node = passed(part.text);
  return node && valueOf(node);
}

function valueOf(node: TSESTree.Node): KeyPart {
  if (is(node, 'Literal') && typeof node.value === 'string') return { kind: 'constant', type: 'text', text: node.value };
  const text = shortSource(node);
  return is(node, 'Literal') ? { kind: 'constant', type: 'number', text: text.replace(/n$/, '') } : { kind: 'expression', identity: text, text, fromParameter: false };
}
