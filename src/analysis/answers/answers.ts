import type { Answer } from '../model.js';
import { Flow } from './flow.js';
import type { AnswerQuestion } from './question.js';
import { isFunction } from './syntax.js';

export type { AnswerQuestion } from './question.js';
export type { Holding } from './value.js';

/** What becomes of the answer of an unlock or a try-lock: whether anything looks at the boolean. */
export function answerOf(question: AnswerQuestion): Answer {
  if (question.column.kind === 'inside' || question.handedOn) return { state: 'read' };
  if (question.column.kind === 'dropped') return { state: 'dropped' };
  return followed(question).run();
}

/** Whether the answer is read by assertions alone, which say that it is `false`. */
export function isExpectedFalse(question: AnswerQuestion): boolean {
  if (question.column.kind !== 'column' || question.handedOn) return false;
  const flow = followed(question);
  flow.run();
  return flow.expectsFalse;
}

function followed(question: AnswerQuestion): Flow {
  const flow = new Flow(hasTransform(question) ? { ...question, shape: { ...question.shape, rows: undefined }, holds: 'unknown' } : question);
  flow.start();
  return flow;
}

/** A function among the arguments of the call itself may turn the result into anything. */
function hasTransform({ call, callback }: AnswerQuestion): boolean {
  return !callback && 'arguments' in call && call.arguments.some((argument) => isFunction(argument));
}
