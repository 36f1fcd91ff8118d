import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from '../../values/names.js';
import type { Origins } from '../../values/origins.js';
import { contains, is, isFunction, uncast, walk } from '../../syntax.js';

/**
 * Conditions of a function that frees a lock which others have taken, and that ask something those others may have left for it: `if
 * (this.held)`, `if (!locked) return`. Where such a condition passes the unlock by, nothing proves that there is a lock.
 */
export class EntryGuards {
  /** Conditions, and the outcome that leads past an unlock. */
  private readonly passing = new Map<TSESTree.Node, boolean>();

  constructor(private readonly body: TSESTree.Node, unlocks: Iterable<TSESTree.Node>, private readonly origins: Origins) {
    for (const unlock of unlocks) if (contains(body, unlock)) this.addAround(unlock);
  }

  get isEmpty(): boolean {
    return this.passing.size === 0;
  }

  passesBy(condition: TSESTree.Node, outcome: boolean): boolean {
    return this.passing.get(condition) === outcome;
  }

  private addAround(unlock: TSESTree.Node): void {
    for (let at = unlock; at !== this.body && at.parent; at = at.parent) {
      const { parent } = at;
      if (is(parent, 'IfStatement') || is(parent, 'ConditionalExpression')) {
        if (at === parent.consequent || at === parent.alternate) this.add(parent.test, at === parent.alternate);
      } else if (is(parent, 'WhileStatement') && at === parent.body) this.add(parent.test, false);
      else if (is(parent, 'LogicalExpression') && at === parent.right && parent.operator !== '??') this.add(parent.left, parent.operator === '||');
      else if (is(parent, 'SwitchCase') && at !== parent.test) this.add(parent.parent.discriminant, false);
      else if (is(parent, 'BlockStatement') || is(parent, 'Program')) this.addLeaving(parent.body.slice(0, parent.body.indexOf(at as TSESTree.Statement)));
    }
  }

  /** `if (!this.held) { release(); return; }` */
  private addLeaving(before: readonly TSESTree.Statement[]): void {
    for (const one of before) if (is(one, 'IfStatement') && !one.alternate && leaves(one.consequent)) this.add(one.test, true);
  }

  private add(test: TSESTree.Node, outcome: boolean): void {
    const node = uncast(test);
    if (is(node, 'UnaryExpression') && node.operator === '!') this.add(node.argument, !outcome);
    else if (is(node, 'LogicalExpression')) for (const one of [node.left, node.right]) this.add(one, outcome);
    else if (this.isFromOutside(node)) this.passing.set(node, outcome);
  }

  /** Whether something is asked that was there before the function ran. An error says that something failed, and not whether a lock is held. */
  private isFromOutside(condition: TSESTree.Node, depth = 0): boolean {
    if (this.isError(condition)) return false;
    return [...walk(condition, isFunction)].some((node) => {
      if (is(node, 'ThisExpression')) return true;
      if (!is(node, 'Identifier') || node.name === 'undefined') return false;
      const variable = variableOf(node);
      const [def] = variable?.defs ?? [];
      if (!variable || !def || def.type === 'Parameter' as never || !contains(this.body, def.name)) return variable !== undefined && def !== undefined;
      const made = def.node as TSESTree.Node;
      return depth < 4 && is(made, 'VariableDeclarator') && made.init !== null && this.isFromOutside(made.init, depth + 1);
    });
  }

  private isError(condition: TSESTree.Node): boolean {
    const facts = this.origins.types.declaredType(condition);
    return facts !== undefined && facts.alternatives.some(({ names }) => names.some(({ name }) => name === 'Error'));
  }
}

function leaves(statement: TSESTree.Statement): boolean {
  const last = is(statement, 'BlockStatement') ? statement.body.at(-1) : statement;
  return is(last, 'ReturnStatement') || is(last, 'ThrowStatement') || is(last, 'ContinueStatement') || is(last, 'BreakStatement');
}
