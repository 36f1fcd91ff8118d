import type { MessagePort } from 'node:worker_threads';
import { rules } from '../../rules/index.js';
import { findingsWithOwnTypes, noteText, prepare } from '../rule.js';
import type { Note, Notice, Question, Reply } from './client.js';

type Warning = Reply['warnings'][number];

/** Answers on a port, one question after the other; `flags[1]` is set to 1 when the answer is there. */
export function serve(port: MessagePort, flags: Int32Array): void {
  port.on('message', (message: Question | Notice | Note) => {
    if ('isAhead' in message) {
      warned(() => { prepare(message); });
      return;
    }
    if (!('rule' in message)) {
      noteText(message.fileName, message.text);
      return;
    }
    port.postMessage(answer(message));
    Atomics.store(flags, 1, 1);
    Atomics.notify(flags, 1);
  });
}

/** Warnings of work that was done ahead, until the next reply. */
const warnings: Warning[] = [];

function answer(question: Question): Reply {
  const findings = warned(() => {
    const rule = Object.hasOwn(rules, question.rule) ? rules[question.rule as keyof typeof rules] : undefined;
    return rule && findingsWithOwnTypes(rule, question);
  });
  return { findings, warnings: warnings.splice(0) };
}

function warned<Result>(work: () => Result): Result | undefined {
  // The worker's own stream of errors is written when the linter is idle next, which may be never.
  process.emitWarning = (warning: string | Error, options?: unknown) => {
    warnings.push([String(warning), typeof options === 'object' && options !== null ? options : {}]);
  };
  try {
    return work();
  } catch {
    return undefined;
  }
}
