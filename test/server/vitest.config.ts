import { defineConfig } from 'vitest/config';

/** A project of its own: the server starts only in runs that have a test for it. */
export default defineConfig({
  test: {
    name: 'server',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: ['./global-setup.ts'],
    // No test measures time; this only ends one that hangs.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Each file keeps pools of its own busy.
    fileParallelism: false,
  },
});
