import { workerData } from 'node:worker_threads';
import type { Line } from './client.js';

/** Where the worker starts. It tells whether the rest could be loaded, so that nobody waits for a worker that cannot answer. */
const { port, flags } = workerData as Line;

function say(state: 1 | 2): void {
  Atomics.store(flags, 0, state);
  Atomics.notify(flags, 0);
}

import('./server.js').then(({ serve }) => {
  serve(port, flags);
  say(1);
}, () => { say(2); });
