import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, mayReserve, reservesEndingIn, type Driver, type ReserveMember } from '../../drivers/index.js';
import { constantOf } from '../statements/arguments.js';
import { objectAt, propertyPlace } from '../statements/bound-values.js';
import type { Connection } from '../model.js';
import { isNullish, type Frame, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { is, isMember, memberName, unwrap } from '../syntax.js';

/** A call that asks a handle for a connection of its own. */
export interface Reservation {
  readonly member: ReserveMember;
  readonly driver: Driver;
  /** The handle that is asked. */
  readonly root: Place;
  readonly from: Connection;
}

const MAX_LINKS = 16;

/** Finds calls that reserve a connection or open a transaction: `pool.connect()`, `db.transaction(callback)`, `db.connection().execute(callback)`. */
export class Reservations {
  constructor(private readonly origins: Origins, private readonly connectionOf: (place: Place) => Connection) {}

  at(call: TSESTree.CallExpression, frame: Frame | undefined, accepts: (member: ReserveMember) => boolean): Reservation | undefined {
    const callee = unwrap(call.callee);
    const name = isMember(callee) ? memberName(callee) : undefined;
    if (!isMember(callee) || name === undefined) return undefined;
    for (const member of reservesEndingIn(name)) {
      const root = accepts(member) && this.isAsked(member, call, frame) ? this.rootOf({ node: callee.object, frame }, member) : undefined;
      const from = root && this.connectionOf(root);
      const driver = driverById(from?.driver);
      if (from && driver?.reserves.includes(member) && mayReserve(member, from.kind)) return { member, driver, root, from };
    }
    return undefined;
  }

  /** Whether the options of the call are those that the member is for. */
  private isAsked({ when }: ReserveMember, call: TSESTree.CallExpression, frame: Frame | undefined): boolean {
    if (!when) return true;
    const argument = call.arguments[when.argument];
    const object = argument && objectAt(this.origins, { node: argument, frame });
    const property = object && propertyPlace(this.origins, object, when.option);
    return property !== undefined && constantOf(this.origins.of(property)) === when.value;
  }

  /** The handle below a builder's methods and the properties between: `db` of `db.transaction().setIsolationLevel(level).execute`. */
  private rootOf(receiver: Place, { name, path = [], completedBy }: ReserveMember): Place | undefined {
    let at = receiver;
    for (let links = 0; completedBy !== undefined; links++) {
      const call = this.callAt(at);
      const callee = call && unwrap(call.node.callee);
      if (!callee || !isMember(callee) || links > MAX_LINKS) return undefined;
      at = { node: callee.object, frame: call.frame };
      if (memberName(callee) === name) break;
    }
    for (const property of path.toReversed()) {
      const member = this.memberAt(at);
      if (!member || memberName(member.node) !== property) return undefined;
      at = { node: member.node.object, frame: member.frame };
    }
    return at;
  }

  private callAt(place: Place): { node: TSESTree.CallExpression; frame: Frame | undefined } | undefined {
    const node = unwrap(place.node);
    if (is(node, 'CallExpression')) return { node, frame: place.frame };
    const [only, ...more] = this.origins.of(place).filter((one) => !isNullish(one));
    return more.length === 0 && only?.kind === 'value' && is(only.node, 'CallExpression') ? { node: only.node, frame: only.frame } : undefined;
  }

  private memberAt(place: Place): { node: TSESTree.MemberExpression; frame: Frame | undefined } | undefined {
    const node = unwrap(place.node);
    if (isMember(node)) return { node, frame: place.frame };
    const [only, ...more] = this.origins.of(place);
    return more.length === 0 && only?.kind === 'member' && isMember(only.node) ? { node: only.node, frame: place.frame } : undefined;
  }
}
