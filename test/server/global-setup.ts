import type { TestProject } from 'vitest/node';
import { startServer } from './postgres-server.js';

/** One server for all test files of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...address } = await startServer();
  project.provide('postgres', address);
  return stop;
}
