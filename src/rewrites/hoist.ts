import type { TSESTree } from '@typescript-eslint/utils';
import type { Escape, Types } from '../analysis/regions.js';
import { functionAround, is } from '../analysis/syntax.js';
import type { Draft } from './draft.js';
import { linesOf, type Line } from './text.js';

/** Declarations of the work whose variables are used behind it: the name goes before the `try`, the value stays where it is. */
export class Hoist {
  constructor(private readonly draft: Draft, private readonly types: Types | undefined) {}

  /** The lines with the names; `undefined` where one cannot be declared apart from its value. */
  of(escapes: readonly Escape[]): Line[] | undefined {
    const declarations = new Set<TSESTree.VariableDeclaration>();
    for (const { variable, outside } of escapes) {
      const declarator = variable.defs[0]?.node as TSESTree.Node | undefined;
      if (!is(declarator, 'VariableDeclarator') || !is(declarator.parent, 'VariableDeclaration') || declarator.parent.declarations.length > 1 || !declarator.init) return undefined;
      // The compiler follows what is assigned to a name without a type, but not into other functions.
      const isCaptured = outside.some((one) => functionAround(one) !== functionAround(declarator)) || variable.references.some((one) => functionAround(one.identifier) !== functionAround(declarator));
      if (isCaptured && this.types !== undefined && !declarator.id.typeAnnotation) return undefined;
      declarations.add(declarator.parent);
    }
    return [...declarations].flatMap((one) => this.hoist(one));
  }

  private hoist(declaration: TSESTree.VariableDeclaration): Line[] {
    const { text } = this.draft;
    const { end } = text.style;
    const { id, init } = declaration.declarations[0];
    const names = namesIn(id);
    if (is(id, 'Identifier')) {
      const type = id.typeAnnotation ? text.of(id.typeAnnotation) : '';
      this.draft.replace([declaration.range[0], init!.range[0]], linesOf(`${id.name} = `));
      return linesOf(`let ${id.name}${type}${end}`);
    }
    const pattern = text.of({ range: [id.range[0], id.typeAnnotation?.range[0] ?? id.range[1]] });
    const value = this.draft.cut(init!.range);
    const [first, ...more] = value;
    const lines = [{ ...first!, text: `${end === '' ? ';' : ''}(${pattern} = ${first!.text}` }, ...more];
    const last = lines.pop()!;
    this.draft.replace(declaration.range, [...lines, { ...last, text: `${last.text})${end}` }]);
    return linesOf(`let ${names.join(', ')}${end}`);
  }
}

function namesIn(pattern: TSESTree.Node): string[] {
  if (is(pattern, 'Identifier')) return [pattern.name];
  if (is(pattern, 'ObjectPattern')) return pattern.properties.flatMap((one) => namesIn(is(one, 'Property') ? one.value : one.argument));
  if (is(pattern, 'ArrayPattern')) return pattern.elements.flatMap((one) => (one ? namesIn(one) : []));
  if (is(pattern, 'AssignmentPattern')) return namesIn(pattern.left);
  return is(pattern, 'RestElement') ? namesIn(pattern.argument) : [];
}
