import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.js';
import { startServer, type RunningServer } from './postgres-server.js';

/** For a test file: a server of its own while its tests run, and databases on it. */
export function useServer(): { createDatabase(): Promise<TestDatabase> } {
  let server: RunningServer | undefined;
  const databases: TestDatabase[] = [];
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await Promise.all(databases.map(database => database.close()));
    await server?.stop();
  });
  return {
    createDatabase: async () => {
      if (!server) throw new Error('Databases can be made in tests only.');
      const database = await createTestDatabase(server);
      databases.push(database);
      return database;
    },
  };
}
