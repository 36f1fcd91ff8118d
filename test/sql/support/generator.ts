import { lockFunctions } from '../../../src/sql/index.js';
import type { Random } from './random.js';

/** Composes statements that PostgreSQL's grammar accepts, with lock functions in places that run and in places that do not. */
export class Generator {
  private depth = 0;
  private names = 0;

  constructor(private readonly random: Random) {}

  /** Several statements, one time in four. */
  text(): string {
    const count = this.random.chance(0.25) ? 2 + this.random.below(3) : 1;
    const statements = Array.from({ length: count }, () => this.statement());
    return statements.join(this.random.pick([';', '; ', ' ;\n', ';;', '; -- pg_advisory_lock(1);\n'])) + this.random.pick(['', ';', ' ; ']);
  }

  statement(): string {
    this.depth = 0;
    const kind = this.random.below(20);
    if (kind < 9) return this.spaced(this.query());
    if (kind < 13) return this.spaced(this.modification());
    if (kind === 13) return this.spaced(this.random.pick(transactions));
    if (kind < 16) return this.definition();
    return this.other();
  }

  private other(): string {
    const analyze = ['explain', 'explain verbose', 'explain analyze', 'EXPLAIN ANALYZE VERBOSE', 'explain (analyze)', 'explain (costs off)'];
    analyze.push('explain (analyze false, verbose)', 'explain (buffers, analyze on, format json)', 'explain (analyze 0)', "explain (analyze 'off')");
    switch (this.random.below(8)) {
      case 0:
      case 1:
        return `${this.random.pick(analyze)} ${this.random.chance(0.7) ? this.query() : this.modification()}`;
      case 2:
        return `call ${this.random.pick(['work', 'app.work'])}(${this.list(2, () => this.value())})`;
      case 3:
        return `copy (${this.query()}) to stdout`;
      case 4:
        return `execute p(${this.list(2, () => this.value())})`;
      case 5:
        return `create ${this.random.pick(['table', 'temp table', 'unlogged table', 'materialized view'])} made as ${this.query()}${this.random.pick(['', ' with data', ' with no data'])}`;
      default:
        return this.random.pick(others);
    }
  }

  private definition(): string {
    const lock = this.lock();
    const text = lock.replaceAll('$', '');
    switch (this.random.below(14)) {
      case 0:
        return `do $$ begin perform ${text}; end $$`;
      case 1:
        return `do language plpgsql $body$ begin perform ${text}; select '$$'; end $body$`;
      case 2:
        return `create or replace function f() returns void as $$ select ${text}; $$ language sql`;
      case 3:
        return `create function f(a int) returns bool begin atomic select ${lock}; select case when a = 1 then 2 else 3 end as end; ${this.query()}; end`;
      case 4:
        return `create function f() returns bool language sql return ${lock}`;
      case 5:
        return `create view v as ${this.query()}`;
      case 6:
        return `prepare p as ${this.query()}`;
      case 7:
        return `declare c cursor for ${this.query()}`;
      case 8:
        return `comment on function pg_advisory_lock(bigint) is 'select pg_advisory_lock(1)'`;
      case 9:
        return `${this.random.pick(['grant execute', 'revoke all'])} on function pg_advisory_unlock(int, int) ${this.random.pick(['to', 'from']) === 'to' ? '' : ''}to app`.replace(/^(revoke.*)to app$/, '$1from app');
      case 10:
        return `create rule r as on update to job do also (${this.query()}; delete from job; notify x)`;
      case 11:
        return `create table t (id int default ${this.random.pick(['1', lock]).replaceAll('$', '')}, check (id > 0))`;
      case 12:
        return `create index i on job (id) where ${this.random.pick(['ready', lock.replaceAll('$', '')])}`;
      default:
        return this.random.pick(definitions);
    }
  }

  query(): string {
    if (this.depth > 2) return `select ${this.lock()}`;
    return this.deeper(() => {
      const ctes = this.random.chance(0.25) ? this.ctes() : '';
      let body = this.branch();
      while (this.random.chance(0.12)) body += ` ${this.random.pick(['union', 'union all', 'intersect', 'except', 'except all'])} ${this.branch()}`;
      return ctes + body + this.tail();
    });
  }

  private ctes(): string {
    const items = this.random.some(3, () => {
      const name = this.fresh('w');
      const materialized = this.random.pick(['', '', 'materialized ', 'not materialized ']);
      return `${name}${this.random.chance(0.2) ? ' (a)' : ''} as ${materialized}(${this.random.chance(0.75) ? this.query() : this.modification()})`;
    });
    return `with ${this.random.chance(0.15) ? 'recursive ' : ''}${items.join(', ')} `;
  }

  private branch(): string {
    const kind = this.random.below(12);
    if (kind === 0) return `(${this.branch()})`;
    if (kind === 1) return `values ${this.list(2, () => `(${this.list(2, () => this.value())})`)}`;
    if (kind === 2) return 'table job';
    return this.select();
  }

  private select(): string {
    const { random } = this;
    const distinct = random.pick(['', '', '', '', 'all ', 'distinct ', `distinct on (${random.chance(0.3) ? this.lock() : 'id'}) `]);
    let text = random.chance(0.04) ? 'select ' : `select ${distinct}${this.list(3, () => this.target())}`;
    if (random.chance(0.6)) text += ` from ${this.list(2, () => this.joined())}`;
    if (random.chance(0.5)) text += ` where ${this.condition()}`;
    if (random.chance(0.12)) text += ` group by ${this.list(2, () => random.pick(['id', 'rollup (id, name)', 'cube (a)', '()', 'grouping sets ((id), (a, b), ())', '1', this.value()]))}`;
    if (random.chance(0.08)) text += ` having ${this.condition()}`;
    if (random.chance(0.05)) text += ` window w1 as (partition by ${this.value()} order by id desc nulls last), w2 as (w1 rows between unbounded preceding and current row)`;
    return text;
  }

  private tail(): string {
    const { random } = this;
    let text = '';
    if (random.chance(0.2)) text += ` order by ${this.list(2, () => `${random.pick(['1', 'id', 'x.y', this.value()])}${random.pick(['', ' asc', ' desc nulls last', ' nulls first', ' using <'])}`)}`;
    const limits = [` limit ${random.pick(['1', '$1', 'all', '10 - 5'])}`, ` offset ${random.pick(['1', '$2', '5 rows'])}`, ' limit 1 offset 2', ' offset 2 limit 1'];
    limits.push(' fetch first row only', ' fetch next 5 rows only', ' offset 1 row fetch first (1 + 1) rows only');
    if (random.chance(0.2)) text += random.pick(limits);
    if (random.chance(0.06)) text += random.pick([' for update', ' for no key update of job skip locked', ' for share nowait', ' for update of a for key share of b']);
    return text;
  }

  private target(): string {
    const { random } = this;
    if (random.chance(0.08)) return random.pick(['*', 'job.*', 'app.job.*', '(x).*']);
    const expr = random.chance(0.5) ? this.lock() + random.pick(['', '', '', '::int', '::text::bool', ' is true', ' = true']) : random.chance(0.3) ? this.condition() : this.value();
    return expr + random.pick(['', '', '', ' as ok', ' AS "Ok"', ' as select', ' as end', ' ok', ' "a ""b"""', ' name', ' as U&"d\\0061t"']);
  }

  private joined(): string {
    const { random } = this;
    let text = this.table();
    while (random.chance(0.25)) {
      const join = random.pick(['join', 'inner join', 'left join', 'left outer join', 'right join', 'full outer join']);
      text += random.chance(0.15) ? ` cross join ${this.table()}` : random.chance(0.15) ? ` natural ${join} ${this.table()}` : ` ${join} ${this.table()} ${random.chance(0.2) ? 'using (id)' : `on ${this.condition()}`}`;
    }
    return text;
  }

  private table(): string {
    const { random } = this;
    switch (random.below(12)) {
      case 0:
        return `(${this.query()}) ${random.pick(['as ', ''])}${this.fresh('q')}${random.pick(['', ' (a, b)'])}`;
      case 1:
        return `lateral (${this.query()}) ${this.fresh('q')}`;
      case 2:
        return `${this.lock()}${random.pick(['', ' ok', ' as ok', ' as l(ok)', ' with ordinality', ' with ordinality as l(ok, n)'])}`;
      case 3:
        return `rows from (${this.lock()}, generate_series(1, 2)) as r(a, b)`;
      case 4:
        return `generate_series(1, ${this.value()}) as g(n)`;
      case 5:
        return `unnest($1::int[]) with ordinality`;
      case 6:
        return `(job join bucket on ${this.condition()})${random.pick(['', ' as j'])}`;
      case 7:
        return `app.job tablesample bernoulli (10) repeatable (3)`;
      case 8:
        return `json_to_recordset('[]') as r(a int, b text)`;
      default:
        return random.pick(['job', 'app.job', '"Job" j', 'job as j', 'only job', 'job *', 'job j (a, b)', 'pg_locks', 'pg_advisory_lock', 'w1']);
    }
  }

  modification(): string {
    if (this.depth > 2) return 'delete from job';
    return this.deeper(() => {
      const ctes = this.random.chance(0.2) ? this.ctes() : '';
      return ctes + this.change() + (this.random.chance(0.4) ? ` returning ${this.list(2, () => this.target())}` : '');
    });
  }

  private change(): string {
    const { random } = this;
    switch (random.below(8)) {
      case 0:
        return `insert into job default values`;
      case 1:
      case 2: {
        const source = random.chance(0.5) ? `values ${this.list(2, () => `(${this.list(2, () => random.pick(['default', this.value()]))})`)}` : random.pick([this.query(), `(${this.query()})`]);
        const conflict = random.pick(['', '', ' on conflict do nothing', ` on conflict (id, lower(name)) where ready do update set name = excluded.name where ${this.condition()}`, ' on conflict on constraint pk do nothing']);
        return `insert into job${random.pick(['', ' as j', ' (id, name)', ' as j (id, tags[1])'])}${random.pick(['', '', ' overriding system value'])} ${source}${conflict}`;
      }
      case 3:
      case 4: {
        const sets = this.list(2, () => random.pick([`name = ${this.value()}`, `(a, b) = (${this.value()}, default)`, `tags[1] = ${this.value()}`, `(a, b) = (${this.query()})`]));
        return `update ${random.pick(['job', 'only app.job', 'job as j', 'job j'])} set ${sets}${random.chance(0.4) ? ` from ${this.joined()}` : ''}${this.where()}`;
      }
      case 5:
      case 6:
        return `delete from ${random.pick(['job', 'app.job j', 'only job'])}${random.chance(0.3) ? ` using ${this.joined()}` : ''}${this.where()}`;
      default:
        return `merge into job j using ${random.pick(['bucket', `(${this.query()})`])} b on ${this.condition()} ${random.some(2, () => this.when()).join(' ')}`;
    }
  }

  private when(): string {
    const and = this.random.chance(0.4) ? ` and ${this.condition()}` : '';
    return this.random.pick([
      `when matched${and} then update set name = ${this.value()}`,
      `when matched${and} then delete`,
      `when not matched${and} then insert (id, name) values (${this.value()}, default)`,
      `when not matched by source${and} then do nothing`,
      `when not matched by target${and} then insert default values`,
    ]);
  }

  private where(): string {
    return this.random.chance(0.7) ? ` where ${this.condition()}` : this.random.pick(['', '', ' where current of c']);
  }

  private condition(): string {
    const { random } = this;
    if (this.depth > 3) return random.chance(0.5) ? this.lock() : 'ready';
    return this.deeper(() => {
      switch (random.below(16)) {
        case 0:
          return `${this.condition()} and ${this.condition()}`;
        case 1:
          return `${this.condition()} or ${this.condition()}`;
        case 2:
          return `not ${this.condition()}`;
        case 3:
          return `(${this.condition()})`;
        case 4:
          return `${random.pick(['', 'not '])}exists (${this.query()})`;
        case 5:
          return `id ${random.pick(['in', 'not in'])} (${random.chance(0.5) ? this.query() : this.list(3, () => this.value())})`;
        case 6:
          return `id ${random.pick(['', 'not '])}between ${random.pick(['', 'symmetric '])}${this.simple()} and ${this.simple()} and ready`;
        case 7:
          return `name ${random.pick(['like', 'not like', 'ilike', 'similar to', '~', '!~~*'])} ${this.simple()}${random.pick(['', '', ''])}`;
        case 8:
          return `${this.simple()} ${random.pick(['=', '<>', '<=', '@>', '<@', '&&', '->', '#>>', '||', '?', '?|', '@@', 'operator(pg_catalog.=)', 'is distinct from', 'is not distinct from'])} ${this.simple()}`;
        case 9:
          return `id = ${random.pick(['any', 'all', 'some'])} (${random.chance(0.5) ? this.query() : '$1'})`;
        case 10:
          return `${this.lock()} ${random.pick(['is true', 'is not false', 'is unknown', 'is null', '= true', '<> false', 'isnull', 'and ready'])}`;
        case 11:
          return `(id, name) ${random.pick(['=', '<'])} (${this.value()}, 'x')`;
        case 12:
          return `coalesce(${this.lock()}, false)`;
        default:
          return this.lock();
      }
    });
  }

  private simple(): string {
    return this.random.chance(0.25) ? this.lock() : this.random.pick(literals);
  }

  value(): string {
    const { random } = this;
    if (this.depth > 3) return random.pick(literals);
    return this.deeper(() => {
      switch (random.below(22)) {
        case 0:
          return `(${this.query()})`;
        case 1:
          return `case ${random.chance(0.3) ? this.value() : ''} ${random.some(2, () => `when ${this.condition()} then ${this.value()}`).join(' ')}${random.chance(0.6) ? ` else ${this.value()}` : ''} end`;
        case 2:
          return `cast(${this.value()} as ${random.pick(types)})`;
        case 3:
          return `(${this.value()})::${random.pick(types)}`;
        case 4:
          return `${random.pick(['lower', 'app.f', 'coalesce', 'greatest', 'nullif', 'left', 'f', '"F"'])}(${this.value()}, ${this.value()})`;
        case 5:
          return `${random.pick(['count(*)', 'sum(id)', `array_agg(distinct ${this.value()} order by id)`, `max(${this.value()})`])}${random.pick(['', ` filter (where ${this.condition()})`, ' over ()', ' over w1', ` over (partition by ${this.value()} order by id range unbounded preceding)`])}`;
        case 6:
          return random.pick([`extract(day from ${this.value()})`, `position('a' in ${this.value()})`, `substring(${this.value()} from 1 for 2)`, `trim(both 'x' from ${this.value()})`, `overlay(name placing 'x' from 1)`]);
        case 7:
          return random.pick([`array[${this.list(2, () => this.value())}]`, `(array[${this.list(2, () => this.value())}])${random.pick(['[1]', '[1:2]', '[1][2]'])}`, 'array[[1, 2], [$1, 4]]']);
        case 8:
          return `row(${this.list(2, () => this.value())})`;
        case 9:
          return `(${this.value()} ${random.pick(['+', '-', '*', '||', '->>', '%', '^', '#', '~'])} ${this.value()})`;
        case 10:
          return `${random.pick(['now()', 'name', "'x'"])} ${random.pick(["at time zone 'utc'", 'collate "C"', "|| 'y'", '::text'])}`;
        case 11:
          return `${random.pick(['-', '+', '@ ', '~ ', '- -'])}${random.pick(['1', 'id', '(2)', '1.5', '3::int'])}`;
        case 12:
          return this.notRun();
        case 13:
          return `array(${this.query()})`;
        case 14:
          return `percentile_cont(0.5) within group (order by ${this.value()})`;
        case 15:
          return this.lock();
        default:
          return random.pick(literals);
      }
    });
  }

  /** Looks like a call and is none of PostgreSQL's. */
  private notRun(): string {
    return this.random.pick([
      `'pg_advisory_lock(1)'`,
      `$$pg_advisory_lock(1)$$`,
      `$q$ select pg_advisory_lock('$$') $q$`,
      `e'it\\'s pg_advisory_lock(1)'`,
      `"pg_advisory_lock"`,
      `"pg_advisory_lock(1)"`,
      `"PG_ADVISORY_LOCK"(1)`,
      `app.pg_advisory_lock(1)`,
      `pg_advisory_lock`,
      `job.pg_advisory_lock`,
      `pg_advisory_lock()`,
      `pg_advisory_lock(1, 2, 3)`,
      `pg_advisory_locks(1)`,
      `u&'pg\\0041 (1)'`,
      `'a' /* pg_advisory_lock(1) /* nested */ ' */`,
      `1 -- pg_advisory_lock(1) '\n`,
    ]);
  }

  /** A call of a lock function, spelled in one of the ways that are the same to PostgreSQL. */
  lock(): string {
    const { random } = this;
    const row = random.pick(lockFunctions);
    const name = random.pick([row.name, row.name, row.name, row.name.toUpperCase(), row.name.replace('advisory', 'Advisory'), `"${row.name}"`, `U&"${row.name.replace('pg_', '\\0070g_')}"`]);
    const schema = random.pick(['', '', '', '', 'pg_catalog.', 'PG_CATALOG . ', '"pg_catalog".']);
    const gap = random.pick(['', '', '', ' ', '\n', '/* ) */']);
    if (row.operation === 'unlockAll') return `${schema}${name}${gap}()`;
    return `${schema}${name}${gap}(${this.key()}${random.chance(0.3) ? `, ${this.key()}` : ''})`;
  }

  private key(): string {
    const { random } = this;
    if (random.chance(0.5)) return random.pick(keys);
    if (this.depth > 3) return '1';
    return this.deeper(() =>
      random.pick([
        () => `hashtext(${this.key()})`,
        () => `pg_catalog.hashtextextended(${this.key()}, 0)`,
        () => `${this.key()} + ${this.key()}`,
        () => `('x' || ${this.key()})::bigint`,
        () => `(${this.key()})`,
        () => `coalesce(${this.key()}, 0)`,
        () => `case when ready then ${this.key()} else 2 end`,
        () => `(select ${this.key()} from job where id = $2)`,
        () => `${this.key()} % 10 - 1`,
        () => this.value(),
      ])(),
    );
  }

  private list(most: number, make: () => string): string {
    return this.random.some(most, make).join(this.random.pick([', ', ',', ' , ']));
  }

  private fresh(prefix: string): string {
    this.names += 1;
    return `${prefix}${this.names % 5}`;
  }

  private deeper<T>(make: () => T): T {
    this.depth += 1;
    const made = make();
    this.depth -= 1;
    return made;
  }

  /** Comments and other white space where the text has a space outside of quotes. */
  private spaced(text: string): string {
    if (!this.random.chance(0.3) || /['"$]/.test(text)) return text;
    const upper = this.random.chance(0.5) ? text.toUpperCase() : text;
    return upper.replace(/ /g, () => this.random.pick([' ', ' ', '  ', '\n', '\t', ' /* x */ ', ' --c\n', '/*/* pg_advisory_lock(1) */*/']));
  }
}

const literals = ['1', '-1', '0', '1.5', '.5', '1e3', '0x1F', '0b101', '0o17', '1_000', "'x'", "'it''s'", "e'a\\n\\'b'", "u&'\\0041b'", "b'101'", "x'1f'", '$$d$$', '$a$ $$ $a$', 'null', 'true', 'false', '$1', '$2', 'id', 'name', 'job.name', 'app.job.name', '(x).y', 'tags[1]', 'tags[1:2]', 'current_date', 'current_user', 'now()', "interval '1' day", "date '2020-01-01'", "timestamp with time zone '2020-01-01'", "double precision '1'", "'a'\n'b'", 'localtimestamp(3)', '"Name"', 'year', 'time', 'value', 'key', 'text'];
const keys = ['1', '42', '-7', '- 7', '+3', '0x7fffffff', '1_000_000', '9223372036854775807', '-9223372036854775808', "'5'", "'it''s'", "e'\\x41\\u0042\\n'", "u&'\\0041'", 'null', '$1', '$12', '$1::bigint', "'5'::int8", 'cast($1 as integer)', 'id', 'job.id', '"Id"', '-1::bigint', '(1)', "bigint '7'", '$$key$$', 'id::int4', '$1::double precision', 'ids[1]', 'current_setting($1)::int', 'true::int', "'a' 'b'".replace("' '", "'\n'"), '1::numeric(10, 2)', '$1::character varying(3)', '$1::int[]', "hashtext('a')"];
const types = ['int', 'integer', 'bigint', 'text', 'boolean', 'varchar(10)', 'character varying(3)', 'numeric(10, 2)', 'double precision', 'timestamp', 'timestamp(3) with time zone', 'time without time zone', 'interval', 'interval day to second', 'int[]', 'text[][]', 'int array', 'int array[3]', 'pg_catalog.int4', 'app.mood', '"Mood"', 'bit varying(3)', 'char(3)', 'json'];
const transactions = ['begin', 'begin work', 'begin transaction isolation level serializable, read only, deferrable', 'start transaction read write', 'start transaction isolation level repeatable read', 'commit', 'commit work', 'end', 'end transaction', 'commit and chain', 'commit and no chain', 'rollback', 'abort', 'rollback work', 'rollback and chain', 'savepoint a', 'rollback to a', 'rollback to savepoint a', 'rollback work to savepoint a', 'release a', 'release savepoint a', 'begin read only', 'begin not deferrable'];
const others = ['set statement_timeout = 5', "set local lock_timeout to '1s'", 'set transaction isolation level serializable', 'show all', 'reset all', 'discard all', 'discard plans', 'listen pg_advisory_lock', "notify x, 'pg_advisory_lock(1)'", 'lock table job in exclusive mode', 'truncate job', 'vacuum job', 'analyze job', 'fetch 1 from c', 'close c', 'deallocate all', 'copy job from stdin', 'checkpoint', 'refresh materialized view v', 'reindex table job', 'unlisten *', 'move 1 from c', 'load \'x\''];
const definitions = ['create table t (id bigint primary key)', 'drop table if exists job', 'alter table job add column pg_advisory_lock int', 'create schema app', 'create index on job (id)', "comment on table job is 'pg_advisory_lock(1)'", 'drop function pg_advisory_lock(int)', 'create extension if not exists pgcrypto', 'alter function pg_advisory_lock(bigint) owner to app', 'grant select on job to app', 'create sequence s', "create type mood as enum ('a', 'b')", 'drop owned by app', 'create role app', 'create trigger tr after insert on job execute function f()', 'alter role app set lock_timeout = 1', 'security label on table job is \'x\'', 'reassign owned by a to b', 'import foreign schema x from server s into y', 'create policy p on job using (true)', 'alter table job alter id type int using id::int'];
