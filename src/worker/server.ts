import type { MessagePort } from 'node:worker_threads';
import { rules } from '../../rules/index.js';
import { findingsWithOwnTypes, noteText } from '../rule.js';
import type { Note, Question, Reply } from './client.js';

type Warning = Reply['warnings'][number];

/** Answers on a port, one question after the other; `flags[1]` is set to 1 when the answer is there. */
export function serve(port: MessagePort, flags: Int32Array): void {
  port.on('message', (message: Question | Note) => {
    if (!('rule' in message)) {
      noteText(message.fileName, message.text);
      return;
    }
    port.postMessage(answer(message));
    Atomics.store(flags, 1, 1);
    Atomics.notify(flags, 1);
  });
}

function answer(question: Question): Reply {
  const warnings: Warning[] = [];
  // The worker's own stream of errors is written when the linter is idle next, which may be never.
  process.emitWarning = (warning: string | Error, options?: unknown) => {
    warnings.push([String(warning), typeof options === 'object' && options !== null ? options : {}]);
  };
  try {
    const rule = Object.hasOwn(rules, question.rule) ? rules[question.rule as keyof typeof rules] : undefined;
    return { findings: rule && findingsWithOwnTypes(rule, question), warnings };
  } catch {
    return { findings: undefined, warnings };
  }
}
