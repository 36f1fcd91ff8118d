import type { TSESTree } from '@typescript-eslint/utils';
import type { Asking } from './asking.js';
import { importedModule, returnedBy } from './names.js';
import { unique, type Frame, type Origin } from './origin.js';
import { commonExports, exportAsked } from './origin-syntax.js';
import type { Origins } from './origins.js';
import { type FunctionNode, is, isFunction, isMember, memberName, staticName, unwrap } from '../syntax.js';

/** What a file gets from other files and from packages: by `import`, by `require()` and by `import()`. */
export class Modules {
  constructor(private readonly origins: Origins, private readonly asking: Asking) {}

  ofImport(specifier: TSESTree.ImportClause, use: TSESTree.Node): readonly Origin[] {
    const { types } = this.origins;
    const module = importedModule(specifier);
    if (module === undefined) return [{ kind: 'unknown', node: use }];
    const definitions = types.importedDefinitions(specifier);
    const found = definitions.flatMap((definition) => this.origins.ofName(definition, undefined));
    if (found.length > 0) return found;
    const source = is(specifier, 'ImportNamespaceSpecifier') ? (specifier.parent).source : undefined;
    const tree = source && types.requiredTree(source);
    if (tree) return [{ kind: 'value', node: tree.ast, frame: undefined }];
    const isNamed = is(specifier, 'ImportSpecifier');
    const name = isNamed ? staticName((specifier).imported, false)! : 'default';
    return [{ kind: 'import', module, path: is(specifier, 'ImportNamespaceSpecifier') || is(specifier as TSESTree.Node, 'TSImportEqualsDeclaration') ? [] : [name], node: use }];
  }

  /** What `require()` and `import()` give: a file of the user's own, or a package. */
  required(specifier: TSESTree.StringLiteral, node: TSESTree.Node): readonly Origin[] {
    const tree = this.origins.types.requiredTree(specifier);
    return tree ? [{ kind: 'value', node: tree.ast, frame: undefined }] : [{ kind: 'import', module: specifier.value, path: [], node }];
  }

  ofImportExpression(node: TSESTree.ImportExpression): readonly Origin[] {
    return isLiteralImport(node) ? this.required(node.source as TSESTree.StringLiteral, node) : [{ kind: 'unknown', node }];
  }

  /** An export of a CommonJS file: `module.exports = { x }`, `exports.x = ...`. */
  partOf(program: TSESTree.Program, name: string, use: TSESTree.Node): readonly Origin[] {
    const declared = this.origins.types.exportsOf(program, name).flatMap((one) => this.origins.ofName(one, undefined));
    if (declared.length > 0) return unique(declared);
    // Files may hand on each other's exports in a ring, or their own: `module.exports = require('./this-file.cjs')`.
    const asked = exportAsked(program, name);
    if (this.asking.isCut(asked)) return [];
    const question = this.asking.begin(asked);
    const found = commonExports(program, name).flatMap(({ value, path }) => this.origins.project(this.origins.of({ node: value, frame: undefined }), path, undefined, use));
    this.asking.end(question);
    return found.length > 0 ? found : [{ kind: 'unknown', node: use }];
  }

  /** What a handler is given: `m` of `import('./locks.js').then((m) => m.unlock(client))`. */
  loadedFor(handler: FunctionNode, index: number, frame: Frame | undefined): readonly Origin[] {
    const call = index === 0 ? handler.parent : undefined;
    if (!is(call, 'CallExpression') || call.arguments[0] !== handler || !isMember(call.callee) || memberName(call.callee) !== 'then' || !isLoading(unwrap(call.callee.object), this.origins)) return [];
    return this.origins.of({ node: call.callee.object, frame });
  }
}

/** `import('./locks.js')`, with a name that is there to be read. */
export const isLiteralImport = (node: TSESTree.Node): boolean => is(node, 'ImportExpression') && is(node.source, 'Literal') && typeof node.source.value === 'string';

/** A module that is loaded, at once or by a function of the user's own that does nothing else: `const load = () => import('./locks.js')`. */
export function isLoading(node: TSESTree.Node, origins: Origins): boolean {
  if (!is(node, 'CallExpression') || node.arguments.length > 0) return isLiteralImport(node);
  const loaders = origins.of({ node: node.callee, frame: undefined });
  return loaders.length > 0 && loaders.every((one) => one.kind === 'value' && isFunction(one.node) && returnedBy(one.node).every((given) => isLiteralImport(unwrap(given))));
}
