import { spawnSync } from 'node:child_process';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/postgres-js';
import { describe, expect, it } from 'vitest';
import { inProject } from '../../support/paths.js';
import { answer, type Sessions } from '../sessions.js';

/** `no-floating-lock-query`: postgres.js and drizzle send a statement when it is awaited, pg at once. */
export function claimsOfSending({ connect, database, holders, isFree, pgPool, postgresPool }: Sessions): void {
  /** A later answer on the same single connection proves that the earlier statement had its chance. */
  describe('a statement that nobody awaits', () => {
    it('never runs in postgres.js, with or without void', async () => {
      const sql = postgresPool({ max: 1 });
      // eslint-disable-next-line @typescript-eslint/no-unused-expressions, @typescript-eslint/no-floating-promises
      sql`SELECT pg_advisory_lock(1)`;
      void sql`SELECT pg_advisory_lock(2)`;
      [3, 4].forEach(key => {
        void sql.unsafe('SELECT pg_advisory_lock($1)', [key]);
      });
      await sql`SELECT 1`;
      expect(await holders()).toEqual([]);
      await sql`SELECT pg_advisory_lock(1)`;
      expect(await holders()).toHaveLength(1);
    });

    it('never runs in a transaction of postgres.js; a returned array does', async () => {
      const sql = postgresPool({ max: 1 });
      await sql.begin(async tx => {
        void tx`SELECT pg_advisory_xact_lock(1)`;
        await tx`SELECT 1`;
        expect(await isFree(1)).toBe(true);
      });
      const [, held] = await sql.begin(tx => [
        tx`SELECT pg_advisory_xact_lock(1)`,
        tx`SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory'`,
      ]);
      expect([...held]).toEqual([{ locks: 1 }]);
    });

    it('never runs in drizzle, over either driver, built or written', async () => {
      const dbs = [drizzleOverPg({ client: pgPool({ max: 1 }) }), drizzleOverPostgres({ client: postgresPool({ max: 1 }) })] as const;
      for (const db of dbs) {
        db.execute(drizzleSql`SELECT pg_advisory_lock(1)`);
        void db.execute(drizzleSql`SELECT pg_advisory_lock(1)`);
        void db.select({ taken: drizzleSql`pg_advisory_lock(1)` }).from(drizzleSql`(SELECT 1) AS one`);
        await db.execute(drizzleSql`SELECT 1`);
        expect(await holders()).toEqual([]);
        await db.execute(drizzleSql`SELECT pg_advisory_lock(1)`);
        expect(await holders()).toHaveLength(1);
        await db.execute(drizzleSql`SELECT pg_advisory_unlock(1)`);
      }
    });

    it('never frees: a lazy unlock leaves its lock', async () => {
      const sql = postgresPool({ max: 1 });
      const db = drizzleOverPostgres({ client: sql });
      await sql`SELECT pg_advisory_lock(1)`;
      void sql`SELECT pg_advisory_unlock(1)`;
      void db.execute(drizzleSql`SELECT pg_advisory_unlock(1)`);
      await sql`SELECT 1`;
      expect(await isFree(1)).toBe(false);
      await db.execute(drizzleSql`SELECT pg_advisory_unlock(1)`);
      expect(await isFree(1)).toBe(true);
    });

    it('runs where something else asks for it: then, catch, Promise.all', async () => {
      const sql = postgresPool({ max: 1 });
      const chained = sql`SELECT pg_advisory_lock(1)`.catch(() => undefined);
      await sql`SELECT 1`;
      expect(await isFree(1)).toBe(false);
      await Promise.all([chained, sql`SELECT pg_advisory_lock(2)`]);
      expect(await isFree(2)).toBe(false);
    });
  });

  describe('a statement of pg that nobody awaits', () => {
    it('does run', async () => {
      const client = await connect();
      void client.query('SELECT pg_advisory_lock(1)');
      await client.query('SELECT 1');
      expect(await holders()).toHaveLength(1);
    });

    it('is not waited for: the work is done while another holds the lock', async () => {
      const [holder, client] = [await connect(), await connect()];
      const pool = pgPool();
      await holder.query('SELECT pg_advisory_lock(1)');
      const locking = client.query('SELECT pg_advisory_lock(1)');
      expect(await answer(pool, "'done'")).toBe('done');
      expect(await holders()).toEqual([await answer(holder, 'pg_backend_pid()')]);
      await holder.query('SELECT pg_advisory_unlock(1)');
      await locking;
      expect(await holders()).toEqual([await answer(client, 'pg_backend_pid()')]);
    });

    it.each([
      { how: 'not awaited', statement: `client.query("SELECT pg_advisory_lock('no number')");`, ends: 'with the error of the server' },
      { how: 'awaited and caught', statement: `await client.query("SELECT pg_advisory_lock('no number')").catch(() => {});`, ends: 'well' },
    ])('ends its process $ends: $how', ({ statement, ends }) => {
      const program = `
        import pg from 'pg';
        const client = new pg.Client({ connectionString: process.argv[1] });
        await client.connect();
        ${statement}
        await client.query('SELECT 1');
        await client.end();`;
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program, database().url], { cwd: inProject(''), encoding: 'utf8' });
      const error = /error: invalid input syntax for type bigint/.test(stderr);
      expect({ status, error }).toEqual(ends === 'well' ? { status: 0, error: false } : { status: 1, error: true });
    });
  });
}
