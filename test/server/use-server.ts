import { afterAll, beforeAll, inject } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.js';
import { startServer, type RunningServer, type ServerAddress } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by global-setup.ts: one server for the whole run. */
    postgres: ServerAddress;
  }
}

/** For test files: databases on the run's server, or on one of the file's own where the global setup is not in use. */
export function useServer(): { createDatabase(): Promise<TestDatabase> } {
  let own: RunningServer | undefined;
  let address: ServerAddress | undefined;
  const databases: TestDatabase[] = [];
  beforeAll(async () => {
    address = inject('postgres');
    if (!address) address = own = await startServer();
  });
  afterAll(async () => {
    await Promise.all(databases.map(database => database.close()));
    await own?.stop();
  });
  return {
    createDatabase: async () => {
      if (!address) throw new Error('Databases can be made in tests only.');
      const database = await createTestDatabase(address);
      databases.push(database);
      return database;
    },
  };
}
