import type { TSESTree } from '@typescript-eslint/utils';
import { fragmentNamed, pieceOf, type Driver, type Fragment } from '../../drivers/index.js';
import type { SqlPart, SqlText } from '../../sql/model.js';
import { valuesOf, type BoundValues } from './bound-values.js';
import { entriesOf, type Choice } from '../values/choices.js';
import { argumentsAt } from '../values/collected.js';
import { variableOf } from '../values/names.js';
import { isNullish, type Frame, type Origin, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { objectAt, propertyPlace } from './bound-values.js';
import { templateOfPart } from './template-parts.js';
import { is, isMember, memberName, unwrap } from '../syntax.js';

/** Reading SQL text out of expressions: strings, templates, tags, concatenations, constants and functions that give any of them. */

/** A run of literal text, with the node that it stands in and its offset there; or a hole, with what fills it. */
export type Chunk =
  | { readonly kind: 'text'; readonly text: string; readonly node: TSESTree.Node; /** Offset in the file of the first character; `undefined` where escapes shift it. */ readonly start: number | undefined }
  | { readonly kind: 'value' | 'any'; readonly place: Place };

/** One of the texts that an expression may be. */
export interface Text {
  readonly chunks: readonly Chunk[];
  /** Which of several it is, where a value that is not known selects it. */
  readonly choice?: Choice;
}

const MAX_ALTERNATIVES = 8;

export class SqlTexts {
  private readonly cache = new WeakMap<TSESTree.Node, readonly Text[]>();
  private readonly byOrigin = new WeakMap<TSESTree.Node, readonly Text[]>();
  private readonly busy = new Set<TSESTree.Node>();
  private readonly fragmentCache = new WeakMap<TSESTree.Node, Fragment | null>();

  constructor(private readonly origins: Origins) {}

  /** The texts that an expression may stand for as an argument; empty where nothing is known of it. */
  of(place: Place): readonly Text[] {
    const known = place.frame ? undefined : this.cache.get(place.node);
    if (known) return known;
    // Text that is put together of itself, as in `text = text + more` within a loop: this part of it is not known.
    if (this.busy.has(place.node)) return [];
    this.busy.add(place.node);
    const found = this.find(place);
    this.busy.delete(place.node);
    if (!place.frame) this.cache.set(place.node, found);
    return found;
  }

  private find(place: Place): readonly Text[] {
    const texts = this.ofOrigins(this.origins.of(place), place);
    const appended = this.appendedTo(place);
    return appended.length === 0 ? texts : new Joined(texts).and(this.sequence(appended.map((node): [TSESTree.Node, 'any'] => [node, 'any']), place.frame)).texts;
  }

  /** `const query = sql`select `; query.append(sql`...`);`: what statements add to the piece in a variable. */
  private appendedTo({ node }: Place): TSESTree.Node[] {
    const at = unwrap(node);
    const uses = is(at, 'Identifier') ? variableOf(at)?.references ?? [] : [];
    return uses.flatMap(({ identifier }) => {
      const member = identifier.parent;
      const call = member.parent;
      const isAppend = isMember(member) && member.object === identifier && memberName(member) === 'append' && is(call, 'CallExpression') && is(call.parent, 'ExpressionStatement');
      return isAppend && identifier.range[0] < at.range[0] ? call.arguments : [];
    });
  }

  private ofOrigins(found: readonly Origin[], place: Place): readonly Text[] {
    const texts: Text[] = [];
    for (const origin of found) {
      if (origin.kind === 'value' && !isNullish(origin)) texts.push(...this.ofOrigin(origin));
      const template = templateOfPart(origin, this.origins);
      if (template) texts.push(...this.ofTemplate(template.quasi, template.frame, 'value'));
      if (texts.length >= MAX_ALTERNATIVES) break;
    }
    if (texts.length > 0) return texts.slice(0, MAX_ALTERNATIVES);
    const chosen = found.length === 1 ? this.ofTable(found[0]!) : [];
    return chosen.length > 0 ? chosen : this.ofType(place);
  }

  /** `SQL[mode].take`: one text of each entry, where whatever is selected takes locks, or whatever is selected frees them. */
  private ofTable(origin: Origin): readonly Text[] {
    const entries = entriesOf(origin, this.origins);
    const all = entries.length > MAX_ALTERNATIVES ? [] : entries.map(({ origins, choice }) => {
      const [only, ...more] = origins.flatMap((one) => (one.kind === 'value' && !isNullish(one) ? this.ofOrigin(one) : []));
      return only && more.length === 0 ? { ...only, choice } : undefined;
    });
    const texts = all.filter((one) => one !== undefined);
    const unlocking = texts.filter((one) => /unlock/i.test(literalText(one)));
    return texts.length === all.length && texts.every(mentionsLock) && (unlocking.length === 0 || unlocking.length === texts.length) ? texts : [];
  }

  /** A value that is in no file of the user's own may still have a literal type. */
  private ofType({ node, frame }: Place): readonly Text[] {
    if (frame) return [];
    const facts = this.origins.types.typeOf(node);
    const literals = facts?.alternatives.map((one) => one.literal) ?? [];
    if (literals.length === 0 || literals.length > MAX_ALTERNATIVES || !literals.every((one): one is string => typeof one === 'string')) return [];
    return literals.map((text, index) => ({ chunks: [{ kind: 'text', text, node, start: undefined }], ...(literals.length > 1 ? { choice: { by: undefined, index } } : {}) }));
  }

  private ofOrigin(origin: Origin & { kind: 'value' }): readonly Text[] {
    if (origin.frame) return this.ofValue(origin);
    const known = this.byOrigin.get(origin.node);
    if (known) return known;
    this.byOrigin.set(origin.node, []); // while it is being read, for text that is put together of itself
    const texts = this.ofValue(origin);
    this.byOrigin.set(origin.node, texts);
    return texts;
  }

  private ofValue({ node, frame }: Origin & { kind: 'value' }): readonly Text[] {
    switch (node.type as string) {
      case 'Literal':
        return [{ chunks: [literalChunk(node as TSESTree.Literal)] }];
      case 'TemplateLiteral':
        return this.ofTemplate(node as TSESTree.TemplateLiteral, frame, 'any');
      case 'TaggedTemplateExpression':
        return this.ofTemplate((node as TSESTree.TaggedTemplateExpression).quasi, frame, this.isStringTag(node as TSESTree.TaggedTemplateExpression) ? 'any' : 'value');
      case 'BinaryExpression': {
        const { left, right, operator } = node as TSESTree.BinaryExpression;
        return operator === '+' ? this.sequence([[left, 'any'], [right, 'any']], frame) : [];
      }
      case 'CallExpression':
        return this.ofCall(node as TSESTree.CallExpression, frame);
      case 'NewExpression': {
        const { callee, arguments: [first] } = node as TSESTree.NewExpression;
        if (!first || this.fragmentMaker(callee)?.makes !== 'raw') return [];
        // `new ParameterizedQuery({ text: 'SELECT ...' })`
        const object = objectAt(this.origins, { node: first, frame });
        return this.orHole((object && propertyPlace(this.origins, object, 'text')) ?? { node: first, frame });
      }
      default:
        return [];
    }
  }

  private isStringTag({ tag }: TSESTree.TaggedTemplateExpression): boolean {
    return isMember(tag) && memberName(tag) === 'raw' && is(tag.object, 'Identifier') && tag.object.name === 'String';
  }

  private ofTemplate(template: TSESTree.TemplateLiteral, frame: Frame | undefined, hole: 'value' | 'any'): readonly Text[] {
    const joined = new Joined();
    template.quasis.forEach((quasi, index) => {
      joined.and([{ chunks: [quasiChunk(quasi)] }]);
      const expression = template.expressions[index];
      if (expression) joined.and(this.ofHole({ node: expression, frame }, hole));
    });
    return joined.texts;
  }

  /** In a tag, a hole is a bound value unless it is a piece of SQL itself; in a plain template, it becomes part of the text. */
  private ofHole(place: Place, hole: 'value' | 'any'): readonly Text[] {
    const found = this.origins.of(place).filter((one) => !isNullish(one));
    const isPiece = (one: Origin): boolean => one.kind === 'value' && (hole === 'any' ? true : this.isFragment(one.node));
    if (found.length > 0 && found.every(isPiece)) {
      const texts = this.ofOrigins(found, place);
      if (texts.length > 0) return texts;
    }
    if (hole === 'any') {
      const typed = this.ofType(place);
      if (typed.length > 0) return typed;
    }
    const isValue = hole === 'value' || this.origins.types.typeOf(place.node)?.isNumeric === true;
    return [{ chunks: [{ kind: isValue ? 'value' : 'any', place }] }];
  }

  /** Whether a value is a piece of SQL when it stands in the hole of a tag: a nested tag, `sql.raw()`, or what builds on them. */
  isFragment(node: TSESTree.Node): boolean {
    const at = unwrap(node);
    if (is(at, 'TaggedTemplateExpression')) return !this.isStringTag(at);
    if (!is(at, 'CallExpression')) return false;
    if (this.fragmentMaker(at.callee) || this.pieceMaker(at.callee)) return true;
    return isMember(at.callee) && (BUILDERS.has(memberName(at.callee) ?? '') || memberName(at.callee) === 'unsafe') && (memberName(at.callee) === 'unsafe' || this.isFragment(at.callee.object));
  }

  /** What a method of a handle, or of something that a library hands to a callback, makes a piece of SQL of. */
  private pieceMaker(callee: TSESTree.Node): ReturnType<typeof pieceOf> {
    const at = unwrap(callee);
    if (isMember(at)) return pieceOf(memberName(at) ?? '');
    const [only] = is(at, 'Identifier') ? this.origins.of({ node: at, frame: undefined }) : [];
    return only?.kind === 'parameter' ? pieceOf(String(only.path.at(-1) ?? '')) : undefined;
  }

  /** The values that are bound to the text of a piece: `CompiledQuery.raw(text, values)`. */
  boundOf(place: Place): BoundValues | undefined {
    const [only, ...more] = this.origins.of(place);
    const call = more.length === 0 && only?.kind === 'value' && is(only.node, 'CallExpression') ? only.node : undefined;
    const argument = call && this.fragmentMaker(call.callee)?.values;
    return argument === undefined ? undefined : valuesOf(this.origins, argumentsAt(call!.arguments, (only as Origin & { kind: 'value' }).frame), { argument });
  }

  /** Whether SQL is made by a tag or a function of a driver. */
  isMadeBy(place: Place, { fragments }: Driver): boolean {
    return this.origins.of(place).some((one) => {
      const maker = one.kind !== 'value' ? undefined : is(one.node, 'TaggedTemplateExpression') ? this.fragmentMaker(one.node.tag) : is(one.node, 'CallExpression') ? this.fragmentMaker(one.node.callee) : undefined;
      return maker !== undefined && fragments.includes(maker);
    });
  }

  /** The record of a function that makes SQL pieces, by where its name comes from. */
  private fragmentMaker(callee: TSESTree.Node): Fragment | undefined {
    const known = this.fragmentCache.get(callee);
    if (known !== undefined) return known ?? undefined;
    const origins = this.origins.of({ node: callee, frame: undefined });
    const origin = origins.find((one) => one.kind === 'import');
    const found = origin?.kind === 'import' ? fragmentNamed(origin.module, origin.path) : this.fragmentOfCall(origins);
    this.fragmentCache.set(callee, found ?? null);
    return found;
  }

  /** `pgp.PreparedStatement` of `const pgp = pgPromise()`. */
  private fragmentOfCall([member]: readonly Origin[]): Fragment | undefined {
    const call = member?.kind === 'member' && member.object.kind === 'value' && is(member.object.node, 'CallExpression') ? member.object.node : undefined;
    const made = call && this.origins.of({ node: call.callee, frame: undefined }).find((one) => one.kind === 'import');
    return made?.kind === 'import' && member?.kind === 'member' ? fragmentNamed(made.module, [...made.path, String(member.name)], true) : undefined;
  }

  private ofCall(node: TSESTree.CallExpression, frame: Frame | undefined): readonly Text[] {
    const maker = this.fragmentMaker(node.callee);
    const [first, second] = node.arguments;
    switch (maker?.makes) {
      case 'raw':
        return first ? this.orHole({ node: first, frame }) : [];
      case 'join':
        return first ? this.ofJoin(first, second, frame) : [];
      case 'value':
        return first ? [{ chunks: [{ kind: 'value', place: { node: first, frame } }] }] : [];
      case 'name':
        return first ? this.orHole({ node: first, frame }) : [];
      case 'nothing':
        return [{ chunks: [] }];
      default:
        return this.ofPiece(node, frame) ?? this.ofMethod(node, frame);
    }
  }

  /** `knex.raw(text)` in a builder, `eb.fn('pg_advisory_xact_lock', [key])`. */
  private ofPiece({ callee, arguments: [first, second] }: TSESTree.CallExpression, frame: Frame | undefined): readonly Text[] | undefined {
    const made = this.pieceMaker(callee);
    if (!made || !first) return undefined;
    const text = this.orHole({ node: first, frame });
    const args = second && made === 'function' ? this.origins.of({ node: second, frame }).find((one) => one.kind === 'value' && is(one.node, 'ArrayExpression')) : undefined;
    const written = (one: string): Text[] => [{ chunks: [{ kind: 'text', text: one, node: first, start: undefined }] }];
    if (made === 'raw') return text;
    const values = args?.kind === 'value' && is(args.node, 'ArrayExpression') ? args.node.elements.filter((one): one is NonNullable<typeof one> => one !== null) : [];
    const list = values.flatMap((node, index): Text[] => [{ chunks: [...(index > 0 ? written(', ')[0]!.chunks : []), { kind: 'value', place: { node, frame: args?.kind === 'value' ? args.frame : frame } }] }]);
    return [written('('), ...list.map((one) => [one]), written(')')].reduce((all, one) => all.and(one), new Joined(text)).texts;
  }

  private ofMethod(node: TSESTree.CallExpression, frame: Frame | undefined): readonly Text[] {
    if (!isMember(node.callee)) return [];
    const { object } = node.callee;
    const [first] = node.arguments;
    switch (memberName(node.callee)) {
      case 'append':
      case 'concat':
        return this.sequence([[object, 'any'], ...node.arguments.map((one): [TSESTree.Node, 'any'] => [one, 'any'])], frame);
      case 'join':
        return this.ofJoin(object, first, frame);
      case 'unsafe': // a fragment of postgres.js inside another tag
        return first ? this.orHole({ node: first, frame }) : [];
      case 'as':
      case 'mapWith':
      case 'getSQL':
      case 'inlineParams':
      case 'trim':
      case 'trimStart':
      case 'trimEnd':
      case 'toString':
      case 'toLowerCase':
      case 'toUpperCase':
      case 'valueOf':
      case 'compile':
        return this.of({ node: object, frame });
      default:
        return [];
    }
  }

  private orHole(place: Place): readonly Text[] {
    const texts = this.of(place);
    return texts.length > 0 ? texts : [{ chunks: [{ kind: 'any', place }] }];
  }

  private ofJoin(list: TSESTree.Node, separator: TSESTree.Node | undefined, frame: Frame | undefined): readonly Text[] {
    const arrays = this.origins.of({ node: list, frame });
    const [only] = arrays;
    if (arrays.length !== 1 || only?.kind !== 'value' || !is(only.node, 'ArrayExpression')) return [];
    const elements = only.node.elements.filter((one): one is NonNullable<typeof one> => one !== null);
    const pieces = elements.flatMap((one, index): [TSESTree.Node, 'value' | 'any'][] => (index > 0 && separator ? [[separator, 'any'], [one, 'value']] : [[one, 'value']]));
    return this.sequence(pieces, only.frame);
  }

  private sequence(nodes: readonly (readonly [TSESTree.Node, 'value' | 'any'])[], frame: Frame | undefined): readonly Text[] {
    const joined = new Joined();
    for (const [node, hole] of nodes) {
      const found = this.of({ node, frame });
      const isNumeric = this.origins.types.typeOf(node)?.isNumeric === true;
      joined.and(found.length > 0 ? found : [{ chunks: [{ kind: hole === 'value' || isNumeric ? 'value' : 'any', place: { node, frame } }] }]);
    }
    return joined.texts;
  }
}

const BUILDERS = new Set(['append', 'as', 'mapWith', 'inlineParams']);

/** Texts that are put together piece by piece, in all ways that alternatives of the pieces allow. */
class Joined {
  private all: readonly (Text & { readonly chunks: Chunk[] })[];

  constructor(start: readonly Text[] = [{ chunks: [] }]) {
    this.all = start.map((one) => ({ ...one, chunks: [...one.chunks] }));
  }

  and(more: readonly Text[]): this {
    const [only] = more;
    // Most pieces have one alternative; they are added where they belong, since there may be thousands.
    if (only && more.length === 1 && !only.choice) for (const { chunks } of this.all) for (const one of only.chunks) chunks.push(one);
    else this.all = this.all.flatMap((one) => more.map((other) => joined(one, other))).slice(0, MAX_ALTERNATIVES);
    return this;
  }

  get texts(): readonly Text[] {
    return this.all;
  }
}

function joined({ chunks, choice }: Text, more: Text): Text & { readonly chunks: Chunk[] } {
  const own = choice && more.choice ? { by: undefined, index: 0 } : choice ?? more.choice;
  return { chunks: [...chunks, ...more.chunks], ...(own ? { choice: own } : {}) };
}

function literalChunk(node: TSESTree.Literal): Chunk {
  const text = String(node.value);
  const isExact = node.range[1] - node.range[0] === text.length + (typeof node.value === 'string' ? 2 : 0);
  return { kind: 'text', text, node, start: isExact ? node.range[0] + (typeof node.value === 'string' ? 1 : 0) : undefined };
}

function quasiChunk(quasi: TSESTree.TemplateElement): Chunk {
  const { cooked, raw } = quasi.value;
  return { kind: 'text', text: (cooked) ?? raw, node: quasi, start: cooked === raw ? quasi.range[0] + 1 : undefined };
}

/** The form in which the SQL room reads a text. Neighbouring runs of text become one, so that a name may be put together of pieces. */
export function toSqlText({ chunks }: Text): SqlText {
  const parts: SqlPart[] = [];
  let holes = 0;
  for (const chunk of chunks) {
    const last = parts.at(-1);
    if (chunk.kind !== 'text') parts.push({ hole: holes++, kind: chunk.kind === 'value' ? 'value' : 'text' });
    else if (typeof last === 'string') parts[parts.length - 1] = last + chunk.text;
    else parts.push(chunk.text);
  }
  return { parts };
}

/** The chunk that has a unit of the flattened text, and the offset inside it. */
export function chunkAt({ chunks }: Text, offset: number): { chunk: Chunk; offset: number } | undefined {
  let from = 0;
  for (const chunk of chunks) {
    const length = chunk.kind === 'text' ? chunk.text.length : 1;
    if (offset < from + length) return { chunk, offset: offset - from };
    from += length;
  }
  return undefined;
}

/** A place that text has a hole for; `isText` where what comes there may be any text: several arguments, say. */
export interface Hole extends Place {
  readonly isText: boolean;
}

export const holesOf = ({ chunks }: Text): Hole[] => chunks.flatMap((chunk) => (chunk.kind === 'text' ? [] : [{ ...chunk.place, isText: chunk.kind === 'any' }]));

/** The text with a blank for each hole. */
export const literalText = ({ chunks }: Text): string => chunks.map((chunk) => (chunk.kind === 'text' ? chunk.text : ' ')).join('');

/** Whether any of the literal text has the word: asked before the SQL is read. */
export const mentionsLock = (text: Text): boolean => /advisory/i.test(literalText(text));
