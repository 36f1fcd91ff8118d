/** What the record of Knex says, asked of a server through the library, and through Objection. */
import knexFactory, { type Knex } from 'knex';
import { Model, raw, transaction } from 'objection';
import { afterEach, describe, expect, it } from 'vitest';
import { useSessions } from './sessions.js';

const { database, holders, isFree, untilNoneHeld } = useSessions();
const pools: Knex[] = [];

function connect(max = 4): Knex {
  const pool = knexFactory({ client: 'pg', connection: database().url, pool: { min: 0, max } });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map(pool => pool.destroy()));
  await untilNoneHeld();
});

interface Rows<Row = unknown> {
  rows: Row[];
}

/** What Knex declares as `any`; a connection is a client of pg. */
interface KnexClient {
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  destroyRawConnection(connection: Connection): Promise<void>;
}
interface Connection {
  query(text: string, values: unknown[]): Promise<Rows>;
}
const clientOf = (knex: Knex) => knex.client as KnexClient;

const pid = 'SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)';

it('gives each call a connection of its own', async () => {
  const knex = connect();
  const asked = await Promise.all([1, 2].map(() => knex.raw<Rows<{ pid: number }>>(pid)));
  expect(new Set(asked.map(({ rows: [row] }) => row?.pid)).size).toBe(2);
});

describe('an acquired connection', () => {
  it('is what `.connection()` runs a statement on, raw or built, and what `transaction()` opens on', async () => {
    const knex = connect();
    const connection = await clientOf(knex).acquireConnection();
    try {
      await knex.raw('SELECT pg_advisory_lock(1)').connection(connection);
      const built: unknown = await knex.select(knex.raw('pg_try_advisory_lock(1) AS taken')).connection(connection);
      expect(built).toEqual([{ taken: true }]);
      await knex.transaction(async trx => {
        expect((await trx.raw<Rows>('SELECT pg_advisory_unlock(1) AS freed')).rows).toEqual([{ freed: true }]);
      }, { connection });
      // A client of pg.
      expect((await connection.query('SELECT pg_advisory_unlock($1) AS freed', [1])).rows).toEqual([{ freed: true }]);
    } finally {
      await clientOf(knex).releaseConnection(connection);
    }
    expect(await holders()).toEqual([]);
  });

  it('keeps its locks when it is given back, and loses them when it is destroyed', async () => {
    const knex = connect(1);
    const connection = await clientOf(knex).acquireConnection();
    await knex.raw('SELECT pg_advisory_lock(1)').connection(connection);
    await clientOf(knex).releaseConnection(connection);
    expect(await holders()).toHaveLength(1);
    const again = await clientOf(knex).acquireConnection();
    await clientOf(knex).destroyRawConnection(again);
    await untilNoneHeld();
    // The pool does not know of it: it takes the connection back, finds it closed and makes another.
    await clientOf(knex).releaseConnection(again);
    expect((await knex.raw<Rows>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('a transaction', () => {
  it('keeps the lock until its callback is done, or the caller commits', async () => {
    const knex = connect();
    await knex.transaction(async trx => {
      await knex.raw('SELECT pg_advisory_xact_lock(1)').transacting(trx);
      expect(await isFree(1)).toBe(false);
    });
    expect(await isFree(1)).toBe(true);
    const trx = await knex.transaction();
    await trx.raw('SELECT pg_advisory_xact_lock(1)');
    expect(await isFree(1)).toBe(false);
    await trx.commit();
    expect(await isFree(1)).toBe(true);
  });

  it('is not joined by the root inside its callback', async () => {
    const knex = connect();
    await knex.transaction(async trx => {
      await knex.raw('SELECT pg_advisory_xact_lock(1)');
      await trx.raw('SELECT 1');
      expect(await isFree(1)).toBe(true);
    });
  });

  it('is joined by a builder that is given it', async () => {
    const knex = connect();
    await knex.transaction(async trx => {
      await knex.select(knex.raw('pg_advisory_xact_lock(1)')).transacting(trx);
      expect(await isFree(1)).toBe(false);
    });
  });
});

it('gives rows in the result for raw text, an array of rows for a builder, and one for `first`', async () => {
  const knex = connect(1);
  const piece = () => knex.raw('pg_try_advisory_lock(:key) AS taken', { key: 1 });
  expect(await knex.raw('SELECT pg_try_advisory_lock(?) AS taken', [1])).toMatchObject({ rows: [{ taken: true }], rowCount: 1 });
  expect(await knex.select(piece())).toEqual([{ taken: true }]);
  expect(await knex.select(piece()).first()).toEqual({ taken: true });
  expect(await knex.first(piece())).toEqual({ taken: true });
});

it('never sends a statement that nothing waits for', async () => {
  const knex = connect(1);
  void knex.raw('SELECT pg_advisory_lock(1)');
  await knex.raw('SELECT 1');
  expect(await holders()).toEqual([]);
});

it('is what a query of an Objection model runs on, unless it is given a transaction, or the model is bound to one', async () => {
  class Ledger extends Model {
    static override tableName = 'ledger_of_model';
  }
  const knex = connect();
  Ledger.knex(knex);
  await knex.raw('CREATE TABLE ledger_of_model AS SELECT 1 AS id');
  try {
    await Ledger.transaction(async trx => {
      await Ledger.query().select(raw('pg_advisory_xact_lock(1)'));
      await Ledger.knexQuery().select(knex.raw('pg_advisory_xact_lock(2)'));
      expect([await isFree(1), await isFree(2)]).toEqual([true, true]);
      await Ledger.query(trx).select(raw('pg_advisory_xact_lock(1)'));
      await Ledger.bindKnex(trx).query().select(raw('pg_advisory_xact_lock(2)'));
      expect([await isFree(1), await isFree(2)]).toEqual([false, false]);
    });
    await transaction(Ledger, async BoundLedger => {
      await BoundLedger.query().select(raw('pg_advisory_xact_lock(3)'));
      expect(await isFree(3)).toBe(false);
    });
    expect([await isFree(1), await isFree(3)]).toEqual([true, true]);
    // One select, one answer: nothing is sent until it is awaited.
    void Ledger.query().select(raw('pg_advisory_lock(4)'));
    expect(await Ledger.query().select(raw('pg_try_advisory_lock(5) AS taken'))).toEqual([{ taken: true }]);
    expect(await isFree(4)).toBe(true);
  } finally {
    await knex.raw('DROP TABLE ledger_of_model');
  }
});

it('is what an Objection model runs on', async () => {
  class Ledger extends Model {}
  Ledger.knex(connect());
  const asked = await Promise.all([1, 2].map(() => Ledger.knex().raw<Rows<{ pid: number }>>(pid)));
  expect(new Set(asked.map(({ rows: [row] }) => row?.pid)).size).toBe(2);
  await Ledger.transaction(async () => {
    await Ledger.knex().raw('SELECT pg_advisory_xact_lock(1)');
    expect(await isFree(1)).toBe(true);
  });
  await transaction(Ledger.knex(), async trx => {
    await trx.raw('SELECT pg_advisory_xact_lock(1)');
    expect(await isFree(1)).toBe(false);
  });
});
