import { defineConfig } from 'vitest/config';

/** Continuous integration reads the numbers of tests from this file. */
const results = 'node_modules/.vitest/results.json';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Generates the clients that fixtures import.
    globalSetup: 'test/support/generate.mjs',
    // Typed suites share what TypeScript has parsed; a fresh world for every file would parse it again.
    isolate: false,
    maxWorkers: 2,
    // The programs of all fixtures, and of all that the suggestions make of them, come near the usual limit of the heap.
    execArgv: ['--max-old-space-size=7168'],
    // The first typed test of a worker pays for the whole program. No test asserts a time.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: results }]] : ['default'],
  },
});
