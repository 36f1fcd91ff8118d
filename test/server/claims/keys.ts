import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/postgres-js';
import { describe, expect, it } from 'vitest';
import { answer, type Sessions } from '../sessions.js';

/** `no-unsafe-lock-key`: what a number, a wide half and NULL come to as keys. */
export function claimsOfKeys({ connect, database, holders, isFree, pgPool, postgresPool }: Sessions): void {
  interface Keys {
    one(key: unknown): Promise<unknown>;
    two(first: unknown, second: unknown): Promise<unknown>;
    hashed(text: unknown): Promise<unknown>;
  }

  const drivers: Record<string, () => Keys> = {
    pg: () => {
      const pool = pgPool({ max: 1 });
      return {
        one: key => pool.query('SELECT pg_advisory_lock($1)', [key]),
        two: (...keys) => pool.query('SELECT pg_advisory_lock($1, $2)', keys),
        hashed: text => pool.query('SELECT pg_advisory_lock(hashtext($1))', [text]),
      };
    },
    'postgres.js': () => {
      const sql = postgresPool({ max: 1 });
      return {
        one: async key => sql`SELECT pg_advisory_lock(${key as never})`,
        two: async (first, second) => sql`SELECT pg_advisory_lock(${first as never}, ${second as never})`,
        hashed: async text => sql`SELECT pg_advisory_lock(hashtext(${text as never}))`,
      };
    },
    'drizzle over pg': () => {
      const db = drizzleOverPg({ client: pgPool({ max: 1 }) });
      return {
        one: async key => db.execute(drizzleSql`SELECT pg_advisory_lock(${key})`),
        two: async (first, second) => db.execute(drizzleSql`SELECT pg_advisory_lock(${first}, ${second})`),
        hashed: async text => db.execute(drizzleSql`SELECT pg_advisory_lock(hashtext(${text}))`),
      };
    },
    'drizzle over postgres.js': () => {
      const db = drizzleOverPostgres({ client: postgresPool({ max: 1 }) });
      return {
        one: async key => db.execute(drizzleSql`SELECT pg_advisory_lock(${key})`),
        two: async (first, second) => db.execute(drizzleSql`SELECT pg_advisory_lock(${first}, ${second})`),
        hashed: async text => db.execute(drizzleSql`SELECT pg_advisory_lock(hashtext(${text}))`),
      };
    },
  };

  /** The bigint keys that are held. */
  async function keys(): Promise<bigint[]> {
    const held = await database().held();
    return held.map(({ key }) => {
      const [high = '0', low = '0'] = key.split('/');
      return (BigInt(high) << 32n) | BigInt(low);
    });
  }

  /** PostgreSQL's own words: drizzle wraps them. */
  async function errorOf(query: Promise<unknown>): Promise<string> {
    const error = await query.then(() => new Error('nothing was refused'), (reason: unknown) => reason as Error);
    return error.cause instanceof Error ? error.cause.message : error.message;
  }

  const exact = 9_007_199_254_740_993n;

  it.each([exact.toString(), '2147483648'])('a wide value is refused, not cut, where it is cast to int as one of two keys: %s', async (value) => {
    const client = await connect();
    expect(await errorOf(client.query('SELECT pg_advisory_lock($1::int, $2::int)', [1, value]))).toMatch(/out of range for type integer/);
    expect(await holders()).toEqual([]);
  });

  describe.each(Object.entries(drivers))('a key through %s', (name, open) => {
    it('loses its last digit as a number past 2^53 - 1', async () => {
      await open().one(Number(exact));
      expect(await keys()).toEqual([exact - 1n]);
      const observer = await connect();
      expect(await answer(observer, `pg_try_advisory_lock(${exact})`)).toBe(true);
      expect(await isFree(exact.toString())).toBe(false);
    });

    it('is exact as a string, and as a number up to 2^53 - 1', async () => {
      const handle = open();
      await handle.one(exact.toString());
      await handle.one(Number.MAX_SAFE_INTEGER);
      expect((await keys()).sort()).toEqual([BigInt(Number.MAX_SAFE_INTEGER), exact]);
    });

    it('is exact as a bigint', async () => {
      await open().one(exact);
      expect(await keys()).toEqual([exact]);
    });

    it.each<[string, () => unknown]>([
      ['Date.now()', () => Date.now()],
      ['a bigint of 64 bits', () => exact],
      ['2^31', () => 2 ** 31],
    ])('is refused as one of two when it is wide: %s', async (_what, value) => {
      expect(await errorOf(open().two(1, value()))).toMatch(/out of range for type integer|function pg_advisory_lock\(\w+, bigint\) does not exist/);
      expect(await holders()).toEqual([]);
    });

    it('is a matter of types as one of two when a bigint is small: no driver but postgres.js says that it is one', async () => {
      const error = await errorOf(open().two(1, 2n));
      expect(error).toBe(name.endsWith('postgres.js') ? 'function pg_advisory_lock(unknown, bigint) does not exist' : 'nothing was refused');
    });

    it('is taken as one of two when it is narrow', async () => {
      await open().two(1, 2 ** 31 - 1);
      expect(await isFree('1, 2147483647')).toBe(false);
    });

    it('takes no lock and raises no error as null', async () => {
      const handle = open();
      await handle.one(null);
      await handle.two(1, null);
      await handle.hashed(null);
      expect(await holders()).toEqual([]);
      await handle.hashed('');
      expect(await holders()).toHaveLength(1);
    });
  });

  describe('a key that is undefined', () => {
    it('takes no lock and raises no error in pg', async () => {
      await drivers['pg']!().one(undefined);
      expect(await holders()).toEqual([]);
    });

    it.each(['postgres.js', 'drizzle over pg', 'drizzle over postgres.js'])('is an error in %s, and no lock', async name => {
      expect(await errorOf(drivers[name]!().one(undefined))).toMatch(/^UNDEFINED_VALUE|function pg_advisory_lock\(\) does not exist/);
      expect(await holders()).toEqual([]);
    });

    it('takes no lock and raises no error in postgres.js that is told to read it as null', async () => {
      await postgresPool({ max: 1, transform: { undefined: null } })`SELECT pg_advisory_lock(${undefined as never})`;
      expect(await holders()).toEqual([]);
    });
  });

  describe('a number past 2^53 - 1', () => {
    it('is not freed by its exact key, and locks out its neighbour', async () => {
      const client = await connect();
      await client.query('SELECT pg_advisory_lock($1)', [Number(exact)]);
      expect(await answer(client, `pg_advisory_unlock(${exact})`)).toBe(false);
      expect(await isFree(`${exact - 1n}`)).toBe(false);
      const { rows } = await client.query('SELECT pg_advisory_unlock($1) AS released', [Number(exact)]);
      expect(rows).toEqual([{ released: true }]);
    });

    it('is exact where it stands in SQL', async () => {
      await (await connect()).query(`SELECT pg_advisory_lock(${exact})`);
      expect(await keys()).toEqual([exact]);
    });
  });

  describe('a value of 64 bits as one of two keys', () => {
    it.each([
      "pg_advisory_lock(1, hashtextextended('job', 0))",
      'pg_advisory_lock(1, 2147483648)',
      'pg_advisory_lock(1, 1::bigint)',
      'pg_advisory_lock(id, 1) FROM (SELECT 1::bigint AS id) AS big',
    ])('has no function: %s', async call => {
      const client = await connect();
      await expect(client.query(`SELECT ${call}`)).rejects.toMatchObject({ code: '42883' });
      expect(await holders()).toEqual([]);
    });

    it.each(["pg_advisory_lock(1, hashtext('job'))", "pg_advisory_lock(hashtextextended('job', 0))"])('has this in its place: %s', async call => {
      await (await connect()).query(`SELECT ${call}`);
      expect(await holders()).toHaveLength(1);
    });
  });

  describe('a try-lock with NULL for a key', () => {
    it('answers null, which is not true', async () => {
      const client = await connect();
      expect(await answer(client, 'pg_try_advisory_lock(NULL)')).toBeNull();
      expect(await answer(client, 'pg_advisory_unlock(NULL)')).toBeNull();
    });
  });
}
