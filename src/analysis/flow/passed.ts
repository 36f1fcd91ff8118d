import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { treeOf } from '../../types/index.js';
import { variableOf } from '../names.js';
import type { Origins } from '../origins.js';
import { contains, is, isFunction, walk } from '../syntax.js';

/** What one function passes to others of its file: `finish(client, locked)`. */
export class Passed {
  private readonly byParameter = new Map<Scope.Variable, TSESTree.Node | undefined>();

  constructor(body: TSESTree.Node, origins: Origins) {
    for (const call of walk(body)) {
      if (!is(call, 'CallExpression') || !call.arguments.some((one) => is(one, 'Identifier', 'MemberExpression', 'ConditionalExpression', 'LogicalExpression', 'UnaryExpression', 'Literal'))) continue;
      const { callee } = origins.calleeOf(call, undefined) ?? {};
      if (!callee || callee === body || treeOf(callee) !== treeOf(body) || contains(callee, body)) continue;
      callee.params.forEach((param, index) => {
        const variable = is(param, 'Identifier') ? variableOf(param) : undefined;
        const given = call.arguments[index];
        if (!variable || variable.references.some((one) => one.isWrite())) return;
        // Two calls that pass different things leave it open.
        this.byParameter.set(variable, this.byParameter.has(variable) || !given || is(given, 'SpreadElement') || isFunction(given) ? undefined : given);
      });
    }
  }

  /** The argument that a parameter stands for. */
  behind(node: TSESTree.Node): TSESTree.Node | undefined {
    const variable = is(node, 'Identifier') && this.byParameter.size > 0 ? variableOf(node) : undefined;
    return variable && this.byParameter.get(variable);
  }

  *arguments(): Generator<TSESTree.Node> {
    for (const given of this.byParameter.values()) if (given) yield given;
  }
}
