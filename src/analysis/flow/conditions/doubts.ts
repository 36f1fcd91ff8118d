import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { variableOf } from '../../values/names.js';
import { contains, is, isFunction, isMember, uncast, walk } from '../../syntax.js';
import type { Tracked } from '../lock-events.js';
import type { LockState } from '../lock-state.js';
import type { Journal } from '../shared-code.js';
import type { TryAnswer } from './try-answer.js';

/** How many conditions are tried both ways; more are tried together. */
const MAX_FREE = 4;

/** That a node which changes variables has run, or that a condition was asked, where the lock was taken or not. */
export type Note = { readonly taken: boolean } & ({ readonly kind: 'change'; readonly node: TSESTree.Node } | { readonly kind: 'test'; readonly text: string; readonly parts: readonly TSESTree.Node[] });

/** Which way conditions go that are not understood where the lock is held: by their text. */
export type Readings = ReadonlyMap<string, boolean>;

/**
 * Conditions that depend on whether the lock was taken, in a way that is not understood: made of the answer by code that is not in
 * view, or of a variable that is written only where it was taken, or only where it was not. Only what is wrong whichever way they
 * are meant is wrong.
 */
export class Doubts {
  private readonly asked = new Map<string, Set<boolean>>();
  private readonly opaque = new Set<string>();
  private readonly written = new Map<Scope.Variable, Map<TSESTree.Node, Set<boolean>>>();
  private readonly mentionedBy = new Map<string, Set<Scope.Variable>>();
  private readonly notes = new Map<string, Note>();
  private readonly changes = new Map<TSESTree.Node, readonly Scope.Variable[]>();
  private readonly mentions = new Map<TSESTree.Node, readonly Scope.Variable[]>();

  constructor(private readonly tracked: Tracked, private readonly answer: TryAnswer, private readonly journal?: Journal<Note>) {}

  /** Whether the lock was taken on this path; `undefined` where it was not asked for yet. */
  takenIn({ answer, held }: LockState): boolean | undefined {
    if (this.tracked.takenAt === undefined) return undefined;
    return this.tracked.acquire?.lock.function.operation === 'try' ? answer : held !== 'free';
  }

  /** A node that may change variables has run. */
  noteChange(node: TSESTree.Node, state: LockState): void {
    if (this.changedBy(node).length > 0) this.note({ kind: 'change', node, taken: this.takenIn(state) ?? false });
  }

  noteTest(text: string, parts: readonly TSESTree.Node[], state: LockState): void {
    const taken = this.takenIn(state);
    if (taken !== undefined || this.tracked.takenAt !== undefined) this.note({ kind: 'test', text, parts, taken: taken ?? false });
  }

  /** What was noted while this lock was followed, or code that does the same to others. */
  note(note: Note): void {
    if (this.journal && (note.kind === 'change' || note.parts.some((part) => this.variablesIn(part).length > 0))) this.journal.add(this.same(note));
    if (note.kind === 'test') this.addTest(note.text, note.parts, note.taken);
    else this.addChange(note.node, note.taken);
  }

  /** Equal notes are one, so that a loop does not make more of them. */
  private same(note: Note): Note {
    const key = `${note.kind === 'test' ? `${note.text} ${note.parts.map(({ range }) => range[0]).join()}` : note.node.range.join()} ${note.taken}`;
    const known = this.notes.get(key) ?? note;
    this.notes.set(key, known);
    return known;
  }

  private addChange(node: TSESTree.Node, taken: boolean): void {
    for (const variable of this.changedBy(node)) {
      const byNode = this.written.get(variable) ?? new Map<TSESTree.Node, Set<boolean>>();
      this.written.set(variable, byNode.set(node, (byNode.get(node) ?? new Set()).add(taken)));
    }
  }

  private addTest(text: string, parts: readonly TSESTree.Node[], taken: boolean): void {
    this.asked.set(text, (this.asked.get(text) ?? new Set()).add(taken));
    for (const part of parts) {
      if (this.answer.isOpaque(part)) this.opaque.add(text);
      const mentioned = this.mentionedBy.get(text) ?? new Set();
      for (const variable of this.variablesIn(part)) mentioned.add(variable);
      this.mentionedBy.set(text, mentioned);
    }
  }

  /** All ways to read the conditions in doubt that were met. */
  readings(): Readings[] {
    const texts = [...this.asked].filter(([text, seen]) => seen.size > 1 && (this.opaque.has(text) || [...this.mentionedBy.get(text) ?? []].some((one) => this.isTelling(one)))).map(([text]) => text);
    if (texts.length === 0) return [];
    const free = Math.min(texts.length, MAX_FREE);
    return Array.from({ length: 2 ** free }, (_, bits) => new Map(texts.map((text, index) => [text, ((bits >> (index % free)) & 1) === 0])));
  }

  private isTelling(variable: Scope.Variable): boolean {
    return [...this.written.get(variable)?.values() ?? []].some((seen) => seen.size === 1);
  }

  private variablesIn(test: TSESTree.Node): readonly Scope.Variable[] {
    let found = this.mentions.get(test);
    if (!found) {
      const names = [...walk(test, isFunction)].filter((node) => is(node, 'Identifier')).map((node) => ({ variable: variableOf(node), isAsked: isAsked(node) }));
      this.mentions.set(test, found = names.flatMap(({ variable, isAsked: asked }) => (variable && (this.isOwn(variable) || (asked && this.isMade(variable))) ? variable : [])));
    }
    return found;
  }

  /** A variable of the function that is more than a name for one value. */
  private isOwn({ defs: [def], references }: Scope.Variable): boolean {
    const { body } = this.tracked;
    if (def?.type !== 'Variable' as never || !contains(body, def.node)) return false;
    const init = (def.node as TSESTree.VariableDeclarator).init;
    return references.filter((one) => one.isWrite()).length > 1 || !init || isContainer(init);
  }

  /** What a function has made, `const connection = connectionOf(options)`, may have a state of its own, as what a class has made. */
  private isMade({ defs: [def] }: Scope.Variable): boolean {
    const init = def?.type === 'Variable' as never && contains(this.tracked.body, def.node) ? (def.node as TSESTree.VariableDeclarator).init : undefined;
    return is(init ? uncast(init) : undefined, 'CallExpression');
  }

  private changedBy(node: TSESTree.Node): readonly Scope.Variable[] {
    let found = this.changes.get(node);
    if (!found) this.changes.set(node, found = changedNames(node).flatMap((name) => variableOf(name) ?? []).filter((one) => this.isOwn(one) || this.isMade(one)));
    return found;
  }
}

/** `connection.isOpen()` asks an object for its state. */
const isAsked = (node: TSESTree.Identifier): boolean => isMember(node.parent) && node.parent.object === node && is(node.parent.parent, 'CallExpression') && node.parent.parent.callee === node.parent;

const isContainer = (init: TSESTree.Node): boolean => ['ArrayExpression', 'ObjectExpression', 'NewExpression'].includes(uncast(init).type);

/** The variables that a node assigns, changes through a method, or gives to a function that may change them. */
function changedNames(node: TSESTree.Node): TSESTree.Identifier[] {
  if (is(node, 'AssignmentExpression')) return targetsIn(node.left);
  if (is(node, 'UpdateExpression')) return targetsIn(node.argument);
  if (!is(node, 'CallExpression')) return [];
  return [...(isMember(node.callee) ? targetsIn(node.callee.object) : []), ...node.arguments.filter((one) => is(one, 'Identifier'))];
}

function targetsIn(target: TSESTree.Node): TSESTree.Identifier[] {
  const node = uncast(target);
  if (is(node, 'Identifier')) return [node];
  if (isMember(node)) return targetsIn(node.object);
  return is(node, 'ObjectPattern') || is(node, 'ArrayPattern') ? [...walk(node)].filter((one) => is(one, 'Identifier')) : [];
}
