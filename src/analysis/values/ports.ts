import type { TSESTree } from '@typescript-eslint/utils';
import { isRunName } from '../../drivers/index.js';
import type { Definition, Types } from '../../types/index.js';
import { subclassesOf } from './members.js';
import { declares } from './origin-syntax.js';
import { is, isClass, type ClassNode } from '../syntax.js';

/**
 * The class behind a method of an interface or of an abstract class, where the user's own code has one that implements it. A method
 * that libraries have, too, tells nothing in an interface: a handle of theirs fits it.
 */
export function onlyImplementation(definition: Definition, name: string, types: Types): ClassNode | undefined {
  const { parent } = definition;
  const holder = parent?.parent?.parent;
  const found = is(holder, 'TSInterfaceDeclaration') && !isRunName(name) ? implementing(holder, types)
    : isClass(holder) && is(parent, 'TSAbstractMethodDefinition') ? subclassesOf(holder, types).filter((one) => declares(one, name)) : [];
  return found?.length === 1 ? found[0] : undefined;
}

/** `undefined` where other interfaces extend it, or values that no class makes are declared to be of it. */
function implementing({ id }: TSESTree.TSInterfaceDeclaration, types: Types): ClassNode[] | undefined {
  const found: ClassNode[] = [];
  for (const use of types.usesOf(id)) {
    const { parent } = use;
    if (is(parent, 'TSInterfaceHeritage')) return undefined;
    if (is(parent, 'TSClassImplements') && isClass(parent.parent)) found.push(parent.parent);
    const declared = is(parent, 'TSTypeReference') && is(parent.parent, 'TSTypeAnnotation') ? parent.parent.parent.parent : undefined;
    if (is(declared, 'VariableDeclarator') && is(declared.init, 'ObjectExpression')) return undefined;
  }
  return found;
}
