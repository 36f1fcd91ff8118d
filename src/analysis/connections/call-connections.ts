import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, hasBatches, type ChainedMember, type Driver, type Gives, type Through } from '../../drivers/index.js';
import { treeOf } from '../../types/index.js';
import { Batches } from '../statements/batches.js';
import { objectAt, propertyPlace } from '../statements/bound-values.js';
import { Callers } from '../values/callers.js';
import { argumentsAt } from '../values/collected.js';
import type { Connections } from './connections.js';
import { isPinned } from './sessions.js';
import type { Connection } from '../model.js';
import { isNullish, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { decoratorsOf } from '../values/members.js';
import type { Reservation } from './reservations.js';
import type { Sending } from '../statements/sendings.js';
import { ancestor, contains, functionAround, is, isMember, memberName, unwrap, walk, wrapped } from '../syntax.js';

/** How far up a transaction is looked for. */
const MAX_CALLERS = 3;

/** What a call is given to run it. */
interface Given {
  readonly place: Place;
  readonly gives: Gives | undefined;
}

/** A call, or the chain of methods on it that are part of its statement. */
export interface Chain {
  readonly node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;
  readonly arrayRows: boolean;
  readonly unsent: boolean;
  /** What a method of the chain is given to run it. */
  readonly through: { readonly node: TSESTree.Node; readonly gives: Gives | undefined } | undefined;
}

/** `sql`...`.values()`, `knex.raw(...).transacting(trx)`: the statement goes on through methods that return it. */
export function chainOf(node: Chain['node'], driver: Driver | undefined, isBuilder = false): Chain {
  let at: Chain = { node, arrayRows: false, unsent: false, through: undefined };
  for (;;) {
    const member = wrapped(at.node, false).parent;
    const next = isMember(member ?? at.node) ? wrapped(member!, false).parent : undefined;
    const name = memberName((member ?? at.node) as TSESTree.MemberExpression);
    const isCall = next && is(next, 'CallExpression') && next.callee !== at.node;
    const chained = isCall ? driver?.chained?.[name ?? ''] ?? (isBuilder && !['then', 'catch', 'finally'].includes(name ?? '') ? {} : undefined) : undefined;
    if (!chained) return at;
    const { arguments: args } = next as TSESTree.CallExpression;
    at = {
      node: next as TSESTree.CallExpression, arrayRows: at.arrayRows || chained.arrayRows === true, unsent: at.unsent || chained.unsent === true,
      through: throughOf(chained, args) ?? at.through,
    };
  }
}

function throughOf({ through }: ChainedMember, args: readonly TSESTree.Node[]): Chain['through'] {
  const node = through && args[through.argument];
  return node && { node, gives: through.gives };
}

/** On which connection a call runs: that of its handle, unless it is given another one, or is sent as a part of a batch. */
export class CallConnections {
  private readonly batches: Batches;
  private readonly callers: Callers;
  /** Of a file, the drivers' ids, and whether it begins a transaction on a pooled handle. */
  private readonly beginning = new WeakMap<TSESTree.Node, ReadonlyMap<string, boolean>>();

  constructor(private readonly origins: Origins, private readonly connections: Connections) {
    this.callers = new Callers(origins);
    this.batches = new Batches(origins, connections.reservations);
  }

  of(sending: Sending, isTopLevel: boolean): Connection {
    if (sending.says) return this.connections.said(sending.says, sending.handle.node);
    const own = this.requested(this.oneOf(sending), sending);
    const driver = driverById(own.driver);
    const unknown: Connection = { ...this.connections.unknown(sending.handle.node), driver: own.driver };
    if (!driver) return own;
    const given = this.given(sending, driver);
    if (given === 'hidden') return unknown;
    if (given) return this.through(given, driver, unknown);
    const batch = isTopLevel && hasBatches(driver, own.kind) ? this.batches.of(chainOf(sending.sent.node, driver).node) : undefined;
    if (batch === 'elsewhere') return unknown;
    if (batch?.driver === driver) return this.connections.inBatch(batch, sending.handle.node);
    const joined = this.connections.joinedBy(own) ?? driver;
    if (own.kind === 'pooled' && this.connections.joinsCallbacks(joined)) {
      const around = this.callbackAround(sending.sent.node, joined);
      return around ? this.connections.joining(around.reservation, around.call, sending.handle.node) : { ...own, mayJoin: true };
    }
    const mayJoin = own.kind === 'pooled' && ((own.joins === undefined && (this.connections.isAmbient(joined) || around(sending.sent).some((one) => isUnder(one, joined.decorators)))) || (own.joins !== 'none' && this.beginsOnPooled(sending.handle.node, joined)));
    return mayJoin ? unknown : own;
  }

  /** A method that takes no connection of its pool. */
  private requested(own: Connection, { run: { request } }: Sending): Connection {
    if (request === undefined || own.kind !== 'pooled') return own;
    const says = `${own.says}, ${request}`;
    return { ...own, kind: 'stateless', says, evidence: { ...own.evidence, text: own.evidence.text.replace(own.says, () => says) }, over: own };
  }

  /** The call whose transaction a statement is in: with its callback around it, or around a call of the function that it is in. */
  private callbackAround(node: TSESTree.Node, driver: Driver, depth = 0): { readonly reservation: Reservation; readonly call: TSESTree.CallExpression } | undefined {
    for (let callee = functionAround(node); callee; callee = functionAround(callee)) {
      const { parent: call } = callee;
      const isHanded = is(call, 'CallExpression') && call.arguments.includes(callee as never);
      const found = isHanded ? this.connections.reservations.at(call, undefined, (member) => member.gives === 'transaction' && member.callbackParameter !== undefined) : undefined;
      if (isHanded && found?.driver === driver) return { reservation: found, call };
      for (const one of depth < MAX_CALLERS ? this.callers.callsOf(callee) : []) {
        const around = contains(callee, one) && treeOf(callee) === treeOf(one) ? undefined : this.callbackAround(one, driver, depth + 1);
        if (around) return around;
      }
    }
    return undefined;
  }

  /** The handle's connection, where each that may take its place has one like it. */
  private oneOf({ handle, others = [] }: Sending): Connection {
    const own = this.connections.of(handle);
    return others.every((one) => this.connections.of(one).kind === own.kind) ? own : { ...this.connections.unknown(handle.node), driver: own.driver };
  }

  /** Whether the file around begins a transaction on a handle that is no pinned one: its statements are in it from then on. */
  private beginsOnPooled(node: TSESTree.Node, driver: Driver): boolean {
    const begins = driver.transactions?.begins ?? [];
    const { ast } = treeOf(node);
    const known = this.beginning.get(ast)?.get(driver.id);
    if (begins.length === 0 || known !== undefined) return known ?? false;
    const isBegin = (one: TSESTree.Node): boolean => {
      const callee = is(one, 'CallExpression') ? unwrap(one.callee) : undefined;
      if (!callee || !isMember(callee) || !begins.includes(memberName(callee) ?? '')) return false;
      const connection = this.connections.of({ node: callee.object, frame: undefined });
      return connection.driver === driver.id && !isPinned(connection);
    };
    const found = [...walk(ast)].some(isBegin);
    this.beginning.set(ast, new Map([...this.beginning.get(ast) ?? [], [driver.id, found]]));
    return found;
  }

  private through({ place, gives }: Given, driver: Driver, unknown: Connection): Connection {
    const found = this.connections.of(place);
    // What may be left out leaves the call to its own handle.
    if (this.origins.types.declaredType(place.node)?.nullable) return unknown;
    if (found.kind !== 'unknown') return { ...found, driver: driver.id };
    if (!gives) return unknown;
    return { ...unknown, kind: gives.kind, says: gives.says, makers: found.makers, evidence: { text: `${found.evidence.text} is ${gives.says}`, where: undefined } };
  }

  /** What the call is given in place of its handle; `hidden`: there may be something that is not in view. */
  private given({ run, sent, extent }: Sending, driver: Driver): Given | 'hidden' | undefined {
    const { through } = chainOf(sent.node, driver, extent !== undefined);
    if (through) return this.present({ node: through.node, frame: sent.frame }, through.gives);
    const args = sent.args ?? (is(sent.node, 'CallExpression') ? argumentsAt(sent.node.arguments, sent.frame) : []);
    if (run.through?.some(({ argument }) => args.slice(0, argument + 1).some((one) => is(one.node, 'SpreadElement')))) return 'hidden';
    for (const one of run.through ?? []) {
      const argument = args[one.argument];
      const found = argument && this.option(argument, one);
      if (found) return found;
    }
    return undefined;
  }

  private option(argument: Place, { option, gives }: Through): Given | 'hidden' | undefined {
    if (option === undefined) return this.present(argument, gives);
    if (this.present(argument, gives) === undefined) return undefined;
    const object = objectAt(this.origins, argument);
    const property = object && propertyPlace(this.origins, object, option);
    if (property) return this.present(property, gives);
    // Options that are not all in view may have it, unless their type says that they do not.
    const isWhole = object && (object.node as TSESTree.ObjectExpression).properties.every((one) => !is(one, 'SpreadElement'));
    const facts = this.origins.types.typeOf(object?.node ?? argument.node);
    return isWhole || (facts && !facts.isAny && !facts.hasMember(option)) ? undefined : 'hidden';
  }

  /** `undefined`, `null`, booleans and strings are nothing to run a call. */
  private present(place: Place, gives: Gives | undefined): Given | undefined {
    const origins = this.origins.of({ node: unwrap(place.node), frame: place.frame });
    return origins.length > 0 && origins.every((one) => isNullish(one) || (one.kind === 'value' && is(one.node, 'Literal'))) ? undefined : { place, gives };
  }
}

/** A call, and those through which it is looked at. */
function around({ node, frame }: Sending['sent']): TSESTree.Node[] {
  const calls: TSESTree.Node[] = [node];
  for (let at = frame; at; at = at.caller) calls.push(at.call);
  return calls;
}

/** Whether a call stands in a method with one of these decorators. */
function isUnder(node: TSESTree.Node, decorators: Driver['decorators']): boolean {
  const method = decorators && ancestor(node, (one) => is(one, 'MethodDefinition'));
  return is(method, 'MethodDefinition') && decoratorsOf(method).some(({ expression }) => {
    const name = is(expression, 'CallExpression') ? expression.callee : expression;
    return is(name, 'Identifier') && decorators!.includes(name.name);
  });
}
