import type { TSESTree } from '@typescript-eslint/utils';
import type { RunMember } from '../../drivers/index.js';
import type { Frame } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import type { Chunk, SqlTexts, Text } from './sql-text.js';
import { contains, is, isFunction, isMember, memberName, unwrap, walk, wrapped } from '../syntax.js';

/**
 * The SQL that a chain of builder methods comes to, as far as the code writes SQL itself: output columns, and the pieces that stand
 * anywhere in the other methods' arguments. What the library writes (tables, conditions of its own) stands as plain names, which is
 * enough to read the lock functions, their keys, their columns and what may evaluate them for other rows.
 */
export class BuiltStatement {
  readonly chunks: Chunk[] = [];
  /** The whole chain. */
  readonly outermost: TSESTree.Node;
  readonly methods: readonly (string | undefined)[];
  /** Whether the chain has a method that sends what is built, or needs none. */
  readonly isSent: boolean;
  /** Names of the output columns; `undefined` where the library or the SQL decides them. */
  readonly columns: readonly string[] | undefined;

  constructor(private readonly origins: Origins, private readonly texts: SqlTexts, private readonly node: TSESTree.CallExpression, run: RunMember, private readonly frame: Frame | undefined) {
    const chain = chainOf(node, run.sentBy);
    this.isSent = run.sentBy === undefined || run.sentBy.includes(chain.at(-1)?.name ?? '');
    this.outermost = chain.at(-1)?.call ?? node;
    this.methods = chain.map(({ name }) => name);
    const isSelect = run.builds !== 'modification';
    if (run.selects === 'texts') {
      this.columns = undefined;
      this.addTexts(chain);
      return;
    }
    if (run.selects) {
      this.columns = undefined;
      this.addSelected(run.selects, chain);
      return;
    }
    const selected = isSelect ? node.arguments[run.sql as number] : chain.find(({ name }) => name === 'returning')?.args[0];
    if (!isSelect) this.addPieces('insert into t values (', chain.filter(({ name }) => name !== 'returning').flatMap(({ args }) => args), ', ', ')');
    this.add(isSelect ? 'select ' : ' returning ');
    this.columns = this.addColumns(selected);
    if (isSelect) this.addClauses(chain);
  }

  private add(text: string): void {
    this.chunks.push({ kind: 'text', text, node: this.node, start: undefined });
  }

  private addText(texts: readonly Text[]): void {
    this.chunks.push(...texts[0]?.chunks ?? []);
  }

  private addColumns(selected: TSESTree.Node | undefined): readonly string[] | undefined {
    const [only] = selected ? this.origins.of({ node: selected, frame: this.frame }) : [];
    if (only?.kind !== 'value' || !is(only.node, 'ObjectExpression')) {
      this.add('*');
      return undefined;
    }
    const names: string[] = [];
    for (const property of only.node.properties) {
      if (!is(property, 'Property')) continue;
      const name = is(property.key, 'Identifier') ? property.key.name : String(names.length);
      if (names.length > 0) this.add(', ');
      if (this.isPiece(property.value)) this.addText(this.texts.of({ node: property.value, frame: only.frame }));
      else this.add('c');
      this.add(` as "${name}"`);
      names.push(name);
    }
    return names;
  }

  /** Columns that are arguments, of the method itself or of those behind it. */
  private addSelected(selects: NonNullable<RunMember['selects']>, chain: readonly Link[]): void {
    const isDistinct = chain.some(({ name }) => name?.startsWith('distinct'));
    const own = selects === 'arguments' ? this.node.arguments : [];
    const columns = [...own, ...chain.filter(({ name }) => SELECTING.has(name ?? '')).flatMap(({ args }) => args)].flatMap((one) => elementsOf(one));
    this.add(isDistinct ? 'select distinct ' : 'select ');
    columns.forEach((column, index) => {
      if (index > 0) this.add(', ');
      const [piece] = this.piecesIn(column);
      if (piece === undefined) {
        this.add('c');
        return;
      }
      this.addText(this.texts.of({ node: piece, frame: this.frame }));
      const name = aliasOf(column);
      if (name !== undefined) this.add(` as "${name}"`);
    });
    if (columns.length === 0) this.add('*');
    if (selects === 'later') this.add(' from t');
    this.addClauses(chain);
  }

  /** Columns and conditions that are text: `select('pg_try_advisory_lock(1)', 'locked').where('...')`. */
  private addTexts(chain: readonly Link[]): void {
    const columns = chain.filter(({ name }) => /^(?:addS|s)elect$/.test(name ?? '')).flatMap(({ args: [text, alias] }) => (text ? elementsOf(text).map((one) => ({ text: one, alias })) : []));
    this.add('select ');
    columns.forEach(({ text, alias }, index) => {
      if (index > 0) this.add(', ');
      this.addTextOr('c', text);
      if (is(alias, 'Literal') && typeof alias.value === 'string') this.add(` as "${alias.value}"`);
    });
    if (columns.length === 0) this.add('*');
    const [first] = this.node.arguments;
    if (this.node.arguments.length > 1 || is(first, 'Literal') || chain.some(({ name }) => name === 'from')) this.add(' from t');
    const conditions = chain.filter(({ name }) => WHERE.test(name ?? ''));
    conditions.forEach(({ args: [text] }, index) => {
      this.add(index === 0 ? ' where ' : ' and ');
      if (text) this.addTextOr('c', text);
    });
    for (const { name } of chain) {
      if (name === 'orderBy') this.add(' order by c');
      if (name === 'limit' || name === 'offset') this.add(` ${name} 1`);
    }
  }

  private addTextOr(otherwise: string, node: TSESTree.Node): void {
    const texts = isFunction(node) ? [] : this.texts.of({ node, frame: this.frame });
    if (texts.length > 0) this.addText(texts);
    else this.add(otherwise);
  }

  private addClauses(chain: readonly Link[]): void {
    const tables = chain.findIndex(({ name, args }) => name === 'from' && args[0] && !this.isNoTable(args[0]));
    if (tables >= 0) this.add(' from t');
    const conditions = chain.filter(({ name }) => WHERE.test(name ?? ''));
    if (conditions.length > 0) this.add(' where c');
    for (const { name, args } of conditions) {
      if (name?.endsWith('Raw')) {
        this.add(' and ');
        this.addText(args[0] ? this.texts.of({ node: args[0], frame: this.frame }) : []);
      } else {
        this.addPieces(' and ', args, ' and ', '');
      }
    }
    for (const { name, args } of chain) {
      if (name === 'orderBy') this.addPieces(' order by c', args, ', ', '');
      if (name === 'limit' || name === 'offset') this.add(` ${name} 1`);
      if (name === 'having') this.addPieces(' having c and ', args, ' and ', '');
    }
  }

  /** `from(sql`(select 1) as one`)`: SQL that names no table. */
  private isNoTable(from: TSESTree.Node): boolean {
    return this.isPiece(from);
  }

  /** The pieces of SQL among arguments, however deep they stand: `and(eq(a, 1), sql`...`)`. */
  private addPieces(before: string, args: readonly TSESTree.Node[], between: string, after: string): void {
    const pieces = args.flatMap((arg) => this.piecesIn(arg));
    this.add(before);
    pieces.forEach((piece, index) => {
      if (index > 0) this.add(between);
      this.addText(this.texts.of({ node: piece, frame: this.frame }));
    });
    this.add(pieces.length === 0 ? `c${after}` : after);
  }

  private piecesIn(arg: TSESTree.Node): TSESTree.Node[] {
    const found: TSESTree.Node[] = [];
    for (const node of walk(isFunction(arg) ? arg.body : arg, isFunction)) {
      const isInside = found.some((one) => contains(one, node));
      if (!isInside && (is(node, 'TaggedTemplateExpression') || is(node, 'CallExpression') || (node === arg && is(node, 'Identifier'))) && this.isPiece(node)) found.push(node);
    }
    return found;
  }

  private isPiece(node: TSESTree.Node): boolean {
    if (is(unwrap(node), 'MemberExpression')) return false;
    return this.origins.of({ node, frame: this.frame }).some((one) => one.kind === 'value' && this.texts.isFragment(one.node));
  }
}

/** Methods that add a condition; `whereRaw` of Knex takes text. */
const WHERE = /^(?:where|andWhere|orWhere)(?:Not)?(?:Raw)?$/;
const SELECTING = new Set(['select', 'column', 'columns', 'first', 'returning', 'distinct']);

/** The columns in an argument: of an array, and of a function that gives them. */
function elementsOf(arg: TSESTree.Node): TSESTree.Node[] {
  const at = isFunction(arg) ? arg.body : arg;
  return is(at, 'ArrayExpression') ? at.elements.filter((one): one is NonNullable<typeof one> => one !== null) : [at];
}

/** `piece.as('name')`. */
function aliasOf(column: TSESTree.Node): string | undefined {
  const at = unwrap(column);
  const [name] = is(at, 'CallExpression') && isMember(at.callee) && memberName(at.callee) === 'as' ? at.arguments : [];
  return is(name, 'Literal') && typeof name.value === 'string' ? name.value : undefined;
}

const PROMISE = new Set(['then', 'catch', 'finally']);

interface Link {
  readonly name: string | undefined;
  readonly args: readonly TSESTree.Node[];
  readonly call: TSESTree.CallExpression;
}

/** The methods called on a call's result, one after the other, up to one that sends it. */
function chainOf(node: TSESTree.CallExpression, sentBy: readonly string[] = []): Link[] {
  const found: Link[] = [];
  for (let at: TSESTree.Node = node; ;) {
    const member: TSESTree.Node | undefined = wrapped(at, false).parent;
    const call: TSESTree.Node | undefined = member && isMember(member) ? wrapped(member, false).parent : undefined;
    if (!is(call, 'CallExpression') || !member || !isMember(member) || !contains(call.callee, member)) return found;
    const name = memberName(member);
    if (name !== undefined && PROMISE.has(name)) return found;
    found.push({ name, args: call.arguments, call });
    if (name !== undefined && sentBy.includes(name)) return found;
    at = call;
  }
}
