import type { TSESTree } from '@typescript-eslint/utils';
import type { Escape, Source, Types } from '../analysis/regions.js';
import { functionAround, is, walk } from '../analysis/syntax.js';
import type { Draft } from './draft.js';
import type { Names } from './names.js';
import { linesOf, type Line } from './text.js';

/** What has to be declared outside of a `try`. */
export interface Hoisted {
  /** Before it. */
  readonly before: readonly Line[];
  /** Right behind it. */
  readonly behind: readonly Line[];
}

/**
 * Declarations of the work whose variables are used behind it: the name goes before the `try`, the value stays where it is. What is taken
 * out of a value, and used behind the `try` alone, is taken out there: `const { rows } = result;`.
 */
export class Hoist {
  /** With `isUnpacked` off, all names are assigned where the value is. */
  constructor(private readonly draft: Draft, private readonly names: Names, private readonly sourceCode: Source, private readonly types: Types | undefined, private readonly isUnpacked: boolean) {}

  /** `undefined` where a name cannot be declared apart from its value. */
  of(escapes: readonly Escape[]): Hoisted | undefined {
    const declarations = new Set<TSESTree.VariableDeclaration>();
    const outside = new Set(escapes.flatMap((one) => one.outside));
    for (const { variable, outside: uses } of escapes) {
      const declarator = variable.defs[0]?.node as TSESTree.Node | undefined;
      if (!is(declarator, 'VariableDeclarator') || !is(declarator.parent, 'VariableDeclaration') || declarator.parent.declarations.length > 1 || !declarator.init) return undefined;
      declarations.add(declarator.parent);
      // The compiler follows what is assigned to a name without a type, but not into other functions.
      const isCaptured = uses.some((one) => functionAround(one) !== functionAround(declarator)) || variable.references.some((one) => functionAround(one.identifier) !== functionAround(declarator));
      if (isCaptured && this.types !== undefined && !declarator.id.typeAnnotation && !this.isTakenOutBehind(declarator.parent, outside)) return undefined;
    }
    const all = [...declarations].map((one) => (this.isTakenOutBehind(one, outside) ? this.unpack(one) : { before: this.hoist(one), behind: [] }));
    return { before: all.flatMap((one) => one.before), behind: all.flatMap((one) => one.behind) };
  }

  private isTakenOutBehind(declaration: TSESTree.VariableDeclaration, outside: ReadonlySet<TSESTree.Node>): boolean {
    const { id } = declaration.declarations[0];
    if (!this.isUnpacked || declaration.kind !== 'const' || is(id, 'Identifier') || !isPlain(id)) return false;
    return this.sourceCode.scopeManager.getDeclaredVariables(declaration).every(({ references }) => references.every((one) => one.init === true || outside.has(one.identifier as TSESTree.Node)));
  }

  private unpack(declaration: TSESTree.VariableDeclaration): Hoisted {
    const { text } = this.draft;
    const { id, init } = declaration.declarations[0];
    const name = this.names.free('result', 'answer');
    const pattern = text.of({ range: [id.range[0], id.typeAnnotation?.range[0] ?? id.range[1]] });
    this.draft.replace([declaration.range[0], init!.range[0]], linesOf(`${name} = `));
    return { before: linesOf(`let ${name}${id.typeAnnotation ? text.of(id.typeAnnotation) : ''}${text.style.end}`), behind: linesOf(`const ${pattern} = ${name}${text.style.end}`) };
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

/** A pattern that computes nothing itself, on one line. */
const isPlain = (pattern: TSESTree.Node): boolean =>
  pattern.loc.start.line === pattern.loc.end.line && ![...walk(pattern)].some((one) => is(one, 'AssignmentPattern') || (is(one, 'Property') && one.computed));

function namesIn(pattern: TSESTree.Node): string[] {
  if (is(pattern, 'Identifier')) return [pattern.name];
  if (is(pattern, 'ObjectPattern')) return pattern.properties.flatMap((one) => namesIn(is(one, 'Property') ? one.value : one.argument));
  if (is(pattern, 'ArrayPattern')) return pattern.elements.flatMap((one) => (one ? namesIn(one) : []));
  if (is(pattern, 'AssignmentPattern')) return namesIn(pattern.left);
  return is(pattern, 'RestElement') ? namesIn(pattern.argument) : [];
}
