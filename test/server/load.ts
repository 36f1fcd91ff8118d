import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  /** Resolves when so much was answered that the pool has opened its connections. */
  underWay(): Promise<void>;
  /** Rejects if a request failed. */
  stop(): Promise<void>;
}

const warmUp = 40;

/**
 * Keeps a pool busy until it is stopped. A quiet pool hands out the connection that came back last, so that a lock and its
 * unlock meet by luck; only other traffic pulls them apart.
 */
export function startLoad(request: () => Promise<unknown>, workers = 8): Load {
  let running = true;
  let answered = 0;
  const work = async (worker: number) => {
    while (running) {
      await request();
      answered++;
      // Uneven pauses, or the pool falls into a rhythm in which each worker meets its own connection again.
      if ((answered + worker) % 5 === 0) await sleep(Math.random() * 3);
    }
  };
  const done = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  // One failed worker ends all; the error itself comes out of `stop()`.
  done.catch(() => (running = false));
  return {
    underWay: async () => {
      while (running && answered < warmUp) await sleep(2);
    },
    stop: async () => {
      running = false;
      await done;
    },
  };
}
