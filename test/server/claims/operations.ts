import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inProject } from '../../support/paths.js';
import { answer, type Sessions } from '../sessions.js';

/** The statement that `docs/advisory-locks.md` shows for finding out who holds a lock. */
function lockQuery(): string {
  const [, sql] = /^```sql\n(.*?)^```$/ms.exec(readFileSync(inProject('docs/advisory-locks.md'), 'utf8')) ?? [];
  if (sql === undefined) throw new Error('The page shows no statement.');
  return sql;
}

/** `docs/advisory-locks.md`: time limits, looking at locks, freeing them from outside, and indexes built concurrently. */
export function claimsOfOperations(sessions: Sessions): void {
  const { connect, database, holders, isFree, pgPool, untilNoneHeld, untilWaiting } = sessions;

  describe('a time limit', () => {
    it.each([['lock_timeout', '55P03'], ['statement_timeout', '57014']])('%s ends the wait for an advisory lock, and earlier session locks stay', async (setting, code) => {
      const [holder, waiter] = [await connect(), await connect()];
      await holder.query('SELECT pg_advisory_lock(1)');
      await waiter.query(`SELECT pg_advisory_lock(2); SET ${setting} = 50`);
      await expect(waiter.query('SELECT pg_advisory_lock(1)')).rejects.toMatchObject({ code });
      expect(await isFree(2)).toBe(false);
    });

    it('SET LOCAL lock_timeout holds for its transaction', async () => {
      const [holder, waiter] = [await connect(), await connect()];
      await holder.query('SELECT pg_advisory_lock(1)');
      await waiter.query("BEGIN; SET LOCAL lock_timeout = '50ms'");
      await expect(waiter.query('SELECT pg_advisory_xact_lock(1)')).rejects.toMatchObject({ code: '55P03' });
      await waiter.query('ROLLBACK');
      expect((await waiter.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '20s' }]);
    });

    it('lock_timeout of a pg pool holds for its connections', async () => {
      const holder = await connect();
      await holder.query('SELECT pg_advisory_lock(1)');
      await expect(pgPool({ lock_timeout: 50 }).query('SELECT pg_advisory_xact_lock(1)')).rejects.toMatchObject({ code: '55P03' });
    });

    it('idle_in_transaction_session_timeout closes the connection, and the transaction-level lock is free', async () => {
      const idle = await connect();
      const closed = new Promise<Error>((resolve) => { idle.once('error', resolve); });
      idle.on('error', () => undefined);
      await idle.query('SET idle_in_transaction_session_timeout = 50; BEGIN');
      await idle.query('SELECT pg_advisory_xact_lock(1)');
      expect(await closed).toMatchObject({ code: '25P03' });
      await untilNoneHeld();
      expect(await isFree(1)).toBe(true);
    });
  });

  describe('pg_locks', () => {
    it.each([
      ['42', '42'],
      ['-1', '-1'],
      ['9223372036854775807', '9223372036854775807'],
      ['-9223372036854775808', '-9223372036854775808'],
      ['4294967298', '4294967298'],
      ['1, 2', '1, 2'],
      ['-7, 2147483647', '-7, 2147483647'],
    ])('has the key %s, as the statement of the page reads it', async (taken, key) => {
      const holder = await connect();
      await holder.query(`SELECT pg_advisory_lock(${taken}), pg_advisory_lock(${taken})`);
      const { rows } = await database().query(lockQuery());
      expect(rows).toEqual([expect.objectContaining({ key, granted: true, mode: 'ExclusiveLock', pid: await answer(holder, 'pg_backend_pid()') })]);
    });

    it('tells whom a waiter waits for; ending that session frees its lock', async () => {
      const [holder, waiter] = [await connect(), await connect()];
      const broken = new Promise<Error>((resolve) => { holder.once('error', resolve); });
      holder.on('error', () => undefined);
      await holder.query('SELECT pg_advisory_lock(1)');
      const [pid, waiting] = [await answer(holder, 'pg_backend_pid()'), await answer(waiter, 'pg_backend_pid()')];
      const waited = waiter.query('SELECT pg_advisory_lock(1)');
      await untilWaiting();
      const { rows } = await database().query(lockQuery());
      expect(rows).toEqual([
        expect.objectContaining({ pid, granted: true, waits_for: [] }),
        expect.objectContaining({ pid: waiting, granted: false, waits_for: [pid] }),
      ]);
      await database().query(`SELECT pg_terminate_backend(${String(pid)})`);
      expect(await broken).toMatchObject({ code: '57P01' });
      await waited;
      expect(await holders()).toEqual([waiting]);
    });
  });

  describe('CREATE INDEX CONCURRENTLY', () => {
    const table = 'CREATE TABLE IF NOT EXISTS indexed (id int)';
    const build = 'CREATE INDEX CONCURRENTLY ON indexed (id)';

    it('refuses to run inside a transaction', async () => {
      const client = await connect();
      await client.query(table);
      await client.query('BEGIN');
      await expect(client.query(build)).rejects.toMatchObject({ code: '25001' });
      await client.query('ROLLBACK');
    });

    it('and a session that waits for the lock of the builder are a deadlock', async () => {
      const [builder, waiter] = [await connect(), await connect()];
      await builder.query(table);
      await builder.query('SELECT pg_advisory_lock(1)');
      const waited = waiter.query('SELECT pg_advisory_lock(1)');
      const unlocked = untilWaiting().then(() => builder.query(build)).finally(() => builder.query('SELECT pg_advisory_unlock(1)'));
      const ends = await Promise.allSettled([unlocked, waited]);
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([expect.objectContaining({ reason: expect.objectContaining({ code: '40P01' }) as unknown })]);
    });

    it('on another connection than the lock waits for that session unnoticed', async () => {
      const [holder, builder, waiter] = [await connect(), await connect(), await connect()];
      await builder.query(table);
      await holder.query('SELECT pg_advisory_lock(1)');
      const waited = waiter.query('SELECT pg_advisory_lock(1)');
      await untilWaiting();
      // Longer than deadlock_timeout, which is one second.
      await builder.query('SET lock_timeout = 2500');
      await expect(builder.query(build)).rejects.toMatchObject({ code: '55P03' });
      await holder.query('SELECT pg_advisory_unlock(1)');
      await waited;
    });

    it('is not held up by a session that tries again and again', async () => {
      const [builder, other] = [await connect(), await connect()];
      await builder.query(table);
      await builder.query('SELECT pg_advisory_lock(1)');
      expect(await answer(other, 'pg_try_advisory_lock(1)')).toBe(false);
      await builder.query(build);
      expect(await answer(other, 'pg_try_advisory_lock(1)')).toBe(false);
    });
  });
}
