import type { TSESTree } from '@typescript-eslint/utils';
import { Callers } from '../values/callers.js';
import { argumentsAt } from '../values/collected.js';
import { enter } from '../values/frames.js';
import type { GivenBack } from '../helpers/given-back.js';
import { isNullish, type Frame, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { mayRun } from '../connections/passed-by.js';
import type { Sending } from './sendings.js';
import { mentionsLock, type SqlTexts } from './sql-text.js';
import { callsIn, contains, is, isFunction, unwrap, type CallNode, type FunctionNode } from '../syntax.js';

/** A function of the user's own, with the frame to look into it. */
interface Entered {
  readonly callee: FunctionNode;
  readonly frame: Frame;
}

const MAX_FORWARDS = 500;

/** How deep the objects that a function is given may be. */
const MAX_OBJECTS = 3;

/** Functions of the user's own that pass a statement on: what they are given is sent by a call inside of them. */
export class Forwarding {
  /** How many calls inside the user's own functions may still be looked at for one call of the file. */
  private budget = 0;

  constructor(private readonly origins: Origins, private readonly texts: SqlTexts, private readonly givenBack: GivenBack, private readonly sendingAt: (place: Place) => Sending | undefined) {}

  /** Begins with another call of the file. */
  begin(): void {
    this.budget = MAX_FORWARDS;
  }

  /** Whether one more call inside may be looked at. */
  spends(): boolean {
    return --this.budget >= 0;
  }

  /** A call of a function of the user's own that passes its argument on to a handle is what it forwards to. */
  at(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    const argument = argumentsAt(node.arguments, frame).find((one) => this.mentions(one))?.node;
    const direct = argument && this.origins.calleeOf(node, frame);
    const functions = direct ? [direct] : argument ? this.handedFunctions(node, frame) : [];
    const [entered] = functions;
    if (!entered) return undefined;
    const found = functions.flatMap((one) => this.sentIn(one));
    // One that sends nothing, and stands for the others, proves nothing.
    if (functions.length > 1 && !functions.every((one) => found.some(({ inner }) => callsIn(one.callee).includes(inner)))) return undefined;
    const [first, ...more] = found;
    if (!first) return undefined;
    // It sends the same text in one of several ways: `client ? client.query(text) : pool.query(text)`.
    const others = [...first.sending.others ?? [], ...more.map(({ sending }) => sending.handle)];
    const same = found.filter(({ sending }) => sending.run.result.rows === first.sending.run.result.rows).map(({ inner, sending }) => sending.inner ?? inner);
    return { ...first.sending, argument, ...(others.length > 0 ? { others } : {}), ...this.givenBack.by(entered, first.sending, first.sending.inner ?? first.inner, new Set(same)) };
  }

  private sentIn({ callee, frame }: Entered): { inner: CallNode; sending: Sending }[] {
    const found: { inner: CallNode; sending: Sending }[] = [];
    for (const inner of callsIn(callee)) {
      if (!this.spends()) break;
      const sending = this.sendingAt({ node: inner, frame });
      if (sending && mayRun(inner, callee, frame, this.origins)) found.push({ inner, sending });
    }
    // `sql.raw(text)` within `sql.raw(text).execute(db)` only makes what that sends.
    return found.filter(({ inner }) => !found.some((one) => one.inner !== inner && contains(one.inner, inner)));
  }

  /** The functions that a parameter stands for: of a callback, `withClient((query) => query('SELECT ...'))`, by its default, or what all calls in view pass. */
  private handedFunctions(node: TSESTree.CallExpression, frame: Frame | undefined): Entered[] {
    const origins = frame ? [] : this.origins.of({ node: node.callee, frame }).filter((one) => !isNullish(one));
    const parameter = origins.find((one) => one.kind === 'parameter');
    if (!parameter) return [];
    const callers = new Callers(this.origins);
    if (origins.length === 1 && parameter.path.length === 0) {
      for (const place of callers.ofCallback(parameter)) {
        const [made] = this.origins.of(place);
        if (made?.kind === 'value' && isFunction(made.node)) return [{ callee: made.node, frame: enter(made.node, node.arguments, node, undefined, made.frame) }];
      }
    }
    if (!this.origins.types.isTyped || callers.isHandedOn(parameter)) return [];
    const passed = callers.ofNamed(parameter).flatMap((place) => this.origins.project(this.origins.of(place), parameter.path, place.frame, place.node));
    const all = [...origins.filter((one) => one !== parameter), ...passed.filter((one) => !isNullish(one))];
    const made = all.flatMap((one): Entered[] => (one.kind === 'value' && isFunction(one.node) ? [{ callee: one.node, frame: enter(one.node, node.arguments, node, undefined, one.frame) }] : []));
    return made.length === all.length ? made.filter((one, index) => made.findIndex(({ callee }) => callee === one.callee) === index) : [];
  }

  /** Whether an argument is text that mentions locks, or an object with such text in it: `{ text: 'SELECT ...', values }`. */
  private mentions(place: Place, depth = 0): boolean {
    const node = unwrap(place.node);
    if (isFunction(node) || is(node, 'ArrayExpression')) return false;
    if (this.texts.of(place).some(mentionsLock)) return true;
    if (is(node, 'Literal') || is(node, 'TemplateLiteral') || depth > MAX_OBJECTS) return false;
    return this.origins.of(place).some((one) => one.kind === 'value' && is(one.node, 'ObjectExpression')
      && one.node.properties.some((property) => this.mentions({ node: is(property, 'Property') ? property.value : property.argument, frame: one.frame }, depth + 1)));
  }
}
