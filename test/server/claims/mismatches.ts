import { describe, expect, it } from 'vitest';
import { answer, warningsOf, type Sessions } from '../sessions.js';

/** `no-mismatched-unlock`: what an unlock of another lock than the one that was taken answers, and does. */
export function claimsOfMismatches({ connect, holders, isFree }: Sessions): void {
  describe('an unlock of another lock than was taken', () => {
    it.each([
      { what: 'exclusive for shared', taken: 'pg_advisory_lock_shared(1)', freed: 'pg_advisory_unlock(1)', mode: 'ExclusiveLock' },
      { what: 'shared for exclusive', taken: 'pg_advisory_lock(1)', freed: 'pg_advisory_unlock_shared(1)', mode: 'ShareLock' },
      { what: 'one key for two', taken: 'pg_advisory_lock(0, 1)', freed: 'pg_advisory_unlock(1)', mode: 'ExclusiveLock' },
      { what: 'two keys for one', taken: 'pg_advisory_lock(1)', freed: 'pg_advisory_unlock(0, 1)', mode: 'ExclusiveLock' },
      { what: 'the two keys in one number', taken: 'pg_advisory_lock(1, 2)', freed: 'pg_advisory_unlock(4294967298)', mode: 'ExclusiveLock' },
      { what: 'two keys in the other order', taken: 'pg_advisory_lock(1, 2)', freed: 'pg_advisory_unlock(2, 1)', mode: 'ExclusiveLock' },
      { what: 'the other hash', taken: "pg_advisory_lock(hashtext('job'))", freed: "pg_advisory_unlock(hashtextextended('job', 0))", mode: 'ExclusiveLock' },
      { what: 'the same hash with another seed', taken: "pg_advisory_lock(hashtextextended('job', 0))", freed: "pg_advisory_unlock(hashtextextended('job', 1))", mode: 'ExclusiveLock' },
      { what: 'the same hash as one half', taken: "pg_advisory_lock(hashtext('job'))", freed: "pg_advisory_unlock(0, hashtext('job'))", mode: 'ExclusiveLock' },
      { what: 'another constant', taken: 'pg_advisory_lock(1)', freed: 'pg_advisory_unlock(2)', mode: 'ExclusiveLock' },
    ])('answers false with a warning, and the lock stays: $what', async ({ taken, freed, mode }) => {
      const client = await connect();
      const warnings = warningsOf(client);
      await client.query(`SELECT ${taken}`);
      expect(await answer(client, freed)).toBe(false);
      expect(warnings).toEqual([`WARNING: you don't own a lock of type ${mode}`]);
      expect(await holders()).toHaveLength(1);
      const right = taken.replace('lock', 'unlock');
      expect(await answer(client, right)).toBe(true);
      expect(await holders()).toEqual([]);
    });

    it('answers false for a lock of the transaction, which goes with COMMIT or ROLLBACK anyway', async () => {
      const client = await connect();
      for (const end of ['COMMIT', 'ROLLBACK']) {
        await client.query('BEGIN');
        await client.query('SELECT pg_advisory_xact_lock(1)');
        expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(false);
        expect(await isFree(1)).toBe(false);
        await client.query(end);
        expect(await isFree(1)).toBe(true);
      }
    });

    it('frees the session-level lock only, where both levels are held', async () => {
      const client = await connect();
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(1), pg_advisory_lock(1)');
      expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
      expect(await isFree(1)).toBe(false);
      expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(false);
      await client.query('COMMIT');
      expect(await isFree(1)).toBe(true);
    });
  });

  describe('an unlock after a try-lock that was lost', () => {
    it('answers false, and the holder keeps the lock', async () => {
      const [holder, loser] = [await connect(), await connect()];
      const warnings = warningsOf(loser);
      await holder.query('SELECT pg_advisory_lock(1)');
      expect(await answer(loser, 'pg_try_advisory_lock(1)')).toBe(false);
      expect(await answer(loser, 'pg_advisory_unlock(1)')).toBe(false);
      expect(warnings).toEqual(["WARNING: you don't own a lock of type ExclusiveLock"]);
      expect(await isFree(1)).toBe(false);
    });

    it('frees the lock that another task of the same session took meanwhile', async () => {
      const [holder, session] = [await connect(), await connect()];
      await holder.query('SELECT pg_advisory_lock(1)');
      expect(await answer(session, 'pg_try_advisory_lock(1)')).toBe(false);
      expect(await answer(holder, 'pg_advisory_unlock(1)')).toBe(true);
      // The other task wins on the same connection, and the first one comes to its `finally`.
      expect(await answer(session, 'pg_try_advisory_lock(1)')).toBe(true);
      expect(await answer(session, 'pg_advisory_unlock(1)')).toBe(true);
      expect(await isFree(1)).toBe(true);
    });

    it('cannot follow while the session holds that lock: a try-lock of what is held is never lost', async () => {
      const [session, waiter] = [await connect(), await connect()];
      for (const mode of ['', '_shared']) {
        await session.query(`SELECT pg_advisory_lock${mode}(1)`);
        const waiting = waiter.query('SELECT pg_advisory_lock(1)');
        expect(await answer(session, `pg_try_advisory_lock${mode}(1)`)).toBe(true);
        expect(await answer(session, `pg_advisory_unlock${mode}(1)`)).toBe(true);
        expect(await isFree(1)).toBe(false);
        expect(await answer(session, `pg_advisory_unlock${mode}(1)`)).toBe(true);
        await waiting;
        expect(await answer(waiter, 'pg_advisory_unlock(1)')).toBe(true);
      }
    });

    it('of the other mode leaves the mode that is held', async () => {
      const [session, other] = [await connect(), await connect()];
      for (const client of [session, other]) await client.query('SELECT pg_advisory_lock_shared(1)');
      expect(await answer(session, 'pg_try_advisory_lock(1)')).toBe(false);
      expect(await answer(session, 'pg_advisory_unlock(1)')).toBe(false);
      expect(await answer(session, 'pg_advisory_unlock_shared(1)')).toBe(true);
    });

    it('of two unlocks for one lock, the second frees what an outer function still counts on', async () => {
      const client = await connect();
      await client.query('SELECT pg_advisory_lock(1)');
      // An inner function takes the lock again, frees it, and frees it once more on its way out.
      expect(await answer(client, 'pg_try_advisory_lock(1)')).toBe(true);
      expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
      expect(await isFree(1)).toBe(false);
      expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
      expect(await isFree(1)).toBe(true);
    });
  });
}
