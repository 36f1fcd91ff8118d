import type { RunMember } from './driver.js';

/**
 * Methods that send SQL in drivers that have no record of their own. A call of one on a handle that is not known runs SQL; the
 * connection stays unknown.
 */
const text = (name: string, rows: string | undefined = 'rows'): RunMember => ({
  name, takes: 'text', sql: 0, values: { argument: 1 }, callback: name === 'query', config: { text: 'text', values: 'values', arrayRows: ['rowMode', 'array'] },
  result: { rows, counts: ['rowCount', 'count'], typed: true },
});

export const otherRuns: readonly RunMember[] = [
  text('query'), text('execute'), text('unsafe', undefined), text('raw'),
  text('queryObject'), text('queryArray'), text('executeSql'), text('runQuery'),
];

/**
 * How code asks for what belongs to the current request, its transaction among others: `AsyncLocalStorage`
 * (https://nodejs.org/api/async_context.html), and `cls` of nestjs-cls and cls-hooked.
 */
export const contextReader = /\bgetStore\s*\(|\bcls\b/i;
