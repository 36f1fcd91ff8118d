import type { TSESTree } from '@typescript-eslint/utils';
import { builderOf, driverById, isRunName, runOf, runsOfReceiver, type Driver, type HouseKind, type RunMember } from '../../drivers/index.js';
import { sourceOf } from '../../types/index.js';
import { constantOf } from './arguments.js';
import { objectAt, propertyPlace, valuesAt, valuesOf, type BoundValues } from './bound-values.js';
import { BuiltStatement } from './built-statement.js';
import type { Connections } from '../connections/connections.js';
import { appliedBy } from '../values/applied.js';
import { argumentsAt } from '../values/collected.js';
import { Forwarding } from './forwarding.js';
import { GivenBack } from '../helpers/given-back.js';
import { HelpersElsewhere, type Standing } from '../helpers/elsewhere.js';
import { HouseCalls } from '../helpers/house-calls.js';
import type { SqlCall } from '../model.js';
import { appliedAt, boundAt, type MethodCall } from './method-calls.js';
import { OwnTags } from './own-tags.js';
import { variableOf } from '../values/names.js';
import { isNullish, type Frame, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { literalText, mentionsLock, type Chunk, type SqlTexts, type Text } from './sql-text.js';
import { contains, is, isFunction, isMember, memberName, unwrap, wrapped, type CallNode } from '../syntax.js';

/** A call as it sends SQL, before the SQL is read. */
export interface Sending {
  readonly handle: Place;
  /** The call or tag that the handle's own code gets. */
  readonly sent: { readonly node: CallNode; readonly frame: Frame | undefined; /** What the method is given, where the call is not one of its own. */ readonly args?: readonly Place[] };
  readonly run: Pick<RunMember, 'result'> & Partial<RunMember> & { /** Options that are not in view may ask for another result. */ readonly isOpen?: boolean };
  /** Whose SQL it is, where the handle does not tell. */
  readonly driver?: Driver;
  readonly texts: readonly Text[];
  readonly values: BoundValues | undefined;
  readonly arrayRows: boolean;
  readonly argument: TSESTree.Node | undefined;
  readonly columns?: readonly string[];
  /** The whole chain of methods that the call begins. */
  readonly extent?: TSESTree.Node;
  readonly holds?: SqlCall['holds'];
  /** The rows themselves are what a function of the user's own gives back. */
  readonly givesRows?: boolean;
  readonly inner?: CallNode;
  /** The handles that may take the handle's place: the function sends to one of them. */
  readonly others?: readonly Place[];
  readonly keepsAnswer?: boolean;
  /** A function of the user's own database stands before the lock function: what it gives back is not known. */
  readonly isWrapped?: boolean;
  /** The settings say what its connection is, or say nothing of it. */
  readonly says?: HouseKind | 'unknown';
  /** The function of the user's own that the settings name as one that locks or frees, as the code calls it. */
  readonly helper?: string;
  /** Its answer stays inside. */
  readonly isSilent?: boolean;
  /** The function does the work that the lock is for, too. */
  readonly worksUnderIt?: boolean;
  /** The call stands for a function that is not asked itself. */
  readonly elsewhere?: Standing;
  readonly lease?: SqlCall['lease'];
  readonly frees?: SqlCall['frees'];
}

/** How calls send SQL: by a method or a tag of a handle, a chain of builder methods, or a function of the user's own that does. */
export class Sendings {
  /** Whether functions of the linted file are looked into as those of others are. */
  private isInFile = false;

  private readonly house: HouseCalls;
  private readonly givenBack: GivenBack;
  private readonly tags: OwnTags;
  private readonly forwarding: Forwarding;
  private readonly elsewhere: HelpersElsewhere;

  constructor(private readonly origins: Origins, private readonly connections: Connections, private readonly texts: SqlTexts) {
    this.house = new HouseCalls(origins, texts);
    this.givenBack = new GivenBack(origins);
    this.tags = new OwnTags(origins, connections, this.givenBack);
    this.forwarding = new Forwarding(origins, texts, this.givenBack, (place) => this.sending(place));
    this.elsewhere = new HelpersElsewhere(origins, this.givenBack, (place) => (this.forwarding.spends() ? this.sending(place) : undefined), (node) => this.leasing(node));
  }

  at(node: CallNode): Sending | undefined {
    this.forwarding.begin();
    return this.sending({ node, frame: undefined });
  }

  /** A call of a function of the same file that locks on what it is passed. */
  ofHelper(node: TSESTree.CallExpression): Sending | undefined {
    if (this.isForeign(node)) return undefined;
    this.forwarding.begin();
    return this.inFile(() => this.elsewhere.at(node, undefined, true));
  }

  /** A call that gives a connection with a lock on it, or what frees that, where the function that is called has reserved the connection. */
  private leasing(node: TSESTree.CallExpression): Sending | undefined {
    return this.elsewhere.at(node, undefined, false) ?? this.inFile(() => this.elsewhere.ownAt(node));
  }

  private inFile(look: () => Sending | undefined): Sending | undefined {
    const before = this.isInFile;
    this.isInFile = true;
    const found = look();
    this.isInFile = before;
    return found;
  }

  private sending(place: Place): Sending | undefined {
    const { node, frame } = place;
    if (is(node, 'TaggedTemplateExpression')) return this.tagged(node, frame);
    if (!is(node, 'CallExpression')) return undefined;
    return this.house.at(node, frame) ?? this.member(node, frame) ?? this.table(node, frame) ?? (this.isForeign(node) ? undefined : this.bound(node, frame) ?? this.forwarding.at(node, frame) ?? (frame ? undefined : this.elsewhere.freeingAt(node)) ?? (frame || this.isInFile ? this.elsewhere.at(node, frame, this.isInFile) : this.leasing(node)));
  }

  /** A method that no code of the user's own has: `names.push(name)`; an element of a list has no name that is declared. */
  private isForeign(node: TSESTree.CallExpression): boolean {
    const callee = appliedBy(node)?.method ?? node.callee;
    const name = isMember(callee) ? memberName(callee) : undefined;
    return name !== undefined && !/^\d/.test(name) && !this.origins.types.mayDeclare(name.replace(/^#/, ''));
  }

  private tagged(node: TSESTree.TaggedTemplateExpression, frame: Frame | undefined): Sending | undefined {
    if (isPiece(node)) return undefined;
    const texts = this.texts.of({ node, frame });
    if (!texts.some(mentionsLock)) return undefined;
    const tag = unwrap(node.tag);
    const sent = { sent: { node, frame }, texts, values: undefined, arrayRows: false, argument: undefined };
    const name = isMember(tag) ? memberName(tag) : undefined;
    if (isMember(tag) && name !== undefined) {
      const handle = { node: tag.object, frame };
      const run = runOf(driverById(this.connections.of(handle).driver), name);
      if (run) return { ...sent, handle, run };
    }
    const handle = { node: node.tag, frame };
    const connection = this.connections.of(handle);
    const driver = driverById(connection.driver);
    if (driver) return driver.tag && { ...sent, handle, run: driver.tag };
    const forwarded = this.tags.at(node, frame);
    if (forwarded) return { ...sent, ...forwarded };
    if (isMember(tag) || this.origins.of(handle).some((one) => one.kind === 'import')) return undefined; // a tag that only builds SQL
    return { ...sent, handle, run: { result: { rows: undefined, counts: ['count'] } } };
  }

  private member(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    const callee = unwrap(node.callee);
    if (!isMember(callee)) return undefined;
    const name = memberName(callee) ?? this.constantName(callee, frame);
    if (name === undefined || !isRunName(name)) return this.by(node, appliedAt(node, frame, this.origins, isRunName), frame);
    if (node.arguments.length === 0 && !builderOf(name)) return undefined;
    return this.sent(node, { name, receiver: { node: callee.object, frame }, args: argumentsAt(node.arguments, frame) }, frame);
  }

  /** `knex('tasks').whereRaw('...')`: a handle that is called begins a builder. */
  private table(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    if (!isCalledInChain(node) || !/advisory/i.test(sourceOf(outermostOf(node)))) return undefined;
    const handle: Place = { node: node.callee, frame };
    const driver = driverById(this.connections.of(handle).driver);
    return driver?.called && this.built(node, handle, driver.called, driver, frame);
  }

  private constantName(callee: TSESTree.MemberExpression, frame: Frame | undefined): string | undefined {
    const value = constantOf(this.origins.of({ node: callee.property, frame }));
    return typeof value === 'string' ? value : undefined;
  }

  private bound(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    return this.by(node, boundAt(node, frame, this.origins, isRunName), frame);
  }

  /** A method of a handle that is not called by its own name; one that the user's own code has is another's business. */
  private by(node: TSESTree.CallExpression, call: MethodCall | undefined, frame: Frame | undefined): Sending | undefined {
    if (!call?.through || call.args.length === 0 || builderOf(call.name)) return undefined;
    return this.origins.of(call.through).some((one) => one.kind === 'value' && isFunction(one.node)) ? undefined : this.sent(node, call, frame);
  }

  private sent(node: TSESTree.CallExpression, call: MethodCall, frame: Frame | undefined): Sending | undefined {
    const { name, receiver, args } = call;
    const ofReceiver = this.ofReceiver(node, call, frame);
    if (ofReceiver) return ofReceiver;
    // The text first: it costs less than the connection, and most calls have no locks in it.
    const builder = builderOf(name);
    if (!builder && !args.some((one) => this.mayMention(one.node))) return undefined;
    const driver = driverById(this.connections.of(receiver).driver);
    const bound = driver || call.through ? undefined : this.bound(node, frame);
    if (bound) return bound;
    // A class of the user's own that has the method itself does what its code does, whatever it extends.
    const callee = unwrap(node.callee);
    const isOwnMethod = isMember(callee) && (this.origins.of({ node: callee, frame }).some((one) => one.kind === 'value' && isFunction(one.node))
      || this.origins.types.memberDefinitions(callee).some((one) => isFunction((one.parent as Partial<TSESTree.MethodDefinition> | undefined)?.value)));
    const forwarded = driver && !isOwnMethod ? undefined : this.forwarding.at(node, frame);
    if (forwarded || (driver && isOwnMethod)) return forwarded;
    const run = runOf(driver, name);
    if (!run || run.sql === 'receiver') return undefined;
    // The table that the chain begins with tells of all of it.
    if (builder && !driver && this.isOfTable(receiver)) return undefined;
    if (run.takes === 'selection') return this.built(node, receiver, run, driver, frame);
    const argument = args[run.sql];
    if (!argument || args.slice(0, run.sql).some((one) => is(one.node, 'SpreadElement'))) return undefined;
    const config = run.config ? this.configured(run.config, argument) : undefined;
    const values = config?.values ?? (run.values && valuesOf(this.origins, args, run.values)) ?? (run.takes === 'fragment' ? this.texts.boundOf(argument) : undefined);
    const texts = run.takes === 'function' ? this.callsOfFunction(this.texts.of(argument), values, node, run) : this.texts.of(config?.text ?? argument);
    if (!texts.some(mentionsLock)) return undefined;
    const isWrapped = run.wraps !== undefined && this.texts.of(argument).some((one) => run.wraps?.(literalText(one)) !== undefined);
    return { handle: receiver, sent: { node, frame, ...(call.through ? { args } : {}) }, run: this.resultOf(run, args), texts, values, arrayRows: config?.arrayRows ?? false, argument: call.through && !contains(node, argument.node) ? node : argument.node, isWrapped };
  }

  /** `sql`...`.execute(db)`: the SQL has the method, and an argument is the handle. */
  private ofReceiver(node: TSESTree.CallExpression, { name, receiver, args }: MethodCall, frame: Frame | undefined): Sending | undefined {
    for (const { run, driver } of runsOfReceiver(name)) {
      const handle = args[run.handle!];
      const texts = handle ? this.texts.of(receiver) : [];
      if (!handle || !texts.some(mentionsLock)) continue;
      const own = this.connections.of(handle).driver;
      if (own === driver.id || (own === undefined && this.texts.isMadeBy(receiver, driver))) return { handle, sent: { node, frame }, run, driver, texts, values: undefined, arrayRows: false, argument: receiver.node };
    }
    return undefined;
  }

  /** `rpc('pg_advisory_lock', { key: 1 })`: the statement that the service makes of it. */
  private callsOfFunction(names: readonly Text[], values: BoundValues | undefined, node: TSESTree.Node, { wraps }: RunMember): Text[] {
    const places = values?.list ?? [...values?.named?.values() ?? []];
    const text = (written: string): Chunk => ({ kind: 'text', text: written, node, start: undefined });
    const args = places.flatMap((place, index): Chunk[] => [...(index > 0 ? [text(', ')] : []), { kind: 'value', place }]);
    return names.map((name) => {
      const wrapped = name.chunks.every((one) => one.kind === 'text') ? wraps?.(literalText(name)) : undefined;
      return { chunks: [text('select '), ...(wrapped === undefined ? name.chunks : [text(wrapped)]), text('('), ...args, text(')')] };
    });
  }

  /** The result that an option of the call asks for; nothing is known of it where the options are not in view. */
  private resultOf(run: RunMember, args: readonly Place[]): Sending['run'] {
    if (run.results && args.some((one) => is(one.node, 'SpreadElement'))) return { ...run, isOpen: true };
    for (const { argument, option, value, result } of run.results ?? []) {
      const place = args[argument];
      const object = place && option !== undefined ? objectAt(this.origins, place) : undefined;
      if (option !== undefined && place && !object) {
        if (constantOf(this.origins.of(place)) !== undefined) continue;
        return { ...run, isOpen: true };
      }
      const asked = option === undefined ? place : object && this.optionAt(object, option);
      if (asked === 'hidden') return { ...run, isOpen: true };
      const said = asked && this.is(asked, value);
      if (said === 'maybe') return { ...run, isOpen: true };
      if (said) return { ...run, result };
    }
    return run;
  }

  private optionAt(object: Place, option: string): Place | 'hidden' | undefined {
    const { properties } = object.node as TSESTree.ObjectExpression;
    const isHidden = properties.some((one) => is(one, 'SpreadElement') && !objectAt(this.origins, { node: one.argument, frame: object.frame }));
    return propertyPlace(this.origins, object, option) ?? (isHidden ? 'hidden' : undefined);
  }

  /** Whether an expression has a value, by the constant that it stands for or by its type; any value will do where none is given. */
  private is(place: Place, value: string | boolean | undefined): boolean | 'maybe' {
    if (value === undefined) return !this.origins.of(place).every(isNullish);
    const constant = constantOf(this.origins.of(place));
    if (constant !== undefined) return constant === value;
    const facts = this.origins.types.typeOf(place.node);
    if (!facts || facts.isAny) return this.origins.of(place).every(isNullish) ? false : 'maybe';
    const isLike = facts.alternatives.some((one) => one.literal === value || one.names.some(({ name }) => name.toLowerCase() === typeof value));
    if (facts.literal === value && !facts.nullable) return true;
    return isLike ? 'maybe' : false;
  }

  /** A cheap look: literal text that mentions locks, or anything that is not literal. */
  private mayMention(node: TSESTree.Node): boolean {
    const at = unwrap(node);
    if (is(at, 'Literal') || is(at, 'ArrayExpression') || isFunction(at)) return is(at, 'Literal') && typeof at.value === 'string' && /advisory/i.test(at.value);
    return true;
  }

  private configured(config: NonNullable<RunMember['config']>, place: Place): { text: Place; values: BoundValues | undefined; arrayRows: boolean } | undefined {
    const object = objectAt(this.origins, place);
    if (!object) return undefined;
    const property = (name: string): Place | undefined => propertyPlace(this.origins, object, name);
    const text = property(config.text);
    const values = property(config.values);
    const [name, value] = config.arrayRows ?? [];
    const mode = name === undefined ? undefined : property(name);
    const arrayRows = mode !== undefined && this.texts.of(mode).some(({ chunks }) => chunks.length === 1 && chunks[0]?.kind === 'text' && chunks[0].text === value);
    return text && { text, values: values && valuesAt(this.origins, values), arrayRows };
  }

  /**
   * `db.select({ ok: sql`...` }).from(t).where(sql`...`)`: the statement that a chain of methods builds, as far as it has SQL of its
   * own. Clauses that the driver writes itself stand as names.
   */
  private built(node: TSESTree.CallExpression, handle: Place, run: RunMember, driver: Driver | undefined, frame: Frame | undefined): Sending | undefined {
    const built = new BuiltStatement(this.origins, this.texts, node, run, frame);
    const text: Text = { chunks: built.chunks };
    if (!mentionsLock(text) || !built.isSent || built.methods.some((name) => driver?.chained?.[name ?? '']?.unsent)) return undefined;
    const holds = run.result.holds ?? built.methods.map((name) => driver?.chained?.[name ?? '']?.holds).find((one) => one !== undefined);
    return { handle, ...(holds ? { holds } : {}), sent: { node, frame }, run, extent: built.outermost, texts: [text], values: undefined, arrayRows: false, argument: node.arguments[run.sql as number] ?? node, ...(built.columns ? { columns: built.columns } : {}) };
  }

  private isOfTable({ node, frame }: Place): boolean {
    let at = unwrap(node);
    while (is(at, 'CallExpression') && isMember(unwrap(at.callee))) at = unwrap((unwrap(at.callee) as TSESTree.MemberExpression).object);
    return is(at, 'CallExpression') && driverById(this.connections.of({ node: at.callee, frame }).driver)?.called !== undefined;
  }
}

const isCalledInChain = (node: TSESTree.CallExpression): boolean => isMember(wrapped(node, false).parent ?? node);

function outermostOf(node: TSESTree.Node): TSESTree.Node {
  let at = node;
  while (at.parent && (isMember(at.parent) || (is(at.parent, 'CallExpression') && at.parent.callee === at))) at = at.parent;
  return at;
}

/** A tagged template that is a part of another one's SQL: it stands in a hole, or in a variable that only stands in holes. */
function isPiece(node: TSESTree.TaggedTemplateExpression): boolean {
  const outer = wrapped(node, false);
  const holder = outer.parent;
  if (is(holder, 'TemplateLiteral')) return is(holder.parent, 'TaggedTemplateExpression');
  if (is(holder, 'ConditionalExpression') || is(holder, 'LogicalExpression')) return is(wrapped(holder, false).parent, 'TemplateLiteral');
  if (!is(holder, 'VariableDeclarator') || !is(holder.id, 'Identifier')) return false;
  const uses = variableOf(holder.id)?.references.filter((one) => one.isRead()) ?? [];
  return uses.length > 0 && uses.every(({ identifier }) => is(identifier.parent, 'TemplateLiteral'));
}
