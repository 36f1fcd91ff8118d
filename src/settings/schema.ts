import { createRequire } from 'node:module';

/** The form of the settings for a validator, which is loaded where a config has settings, and nowhere else. */

const load = createRequire(import.meta.url);

type Valibot = typeof import('valibot');

// Its type follows from the code: it is what the test compares with the types that users see.
function make(v: Valibot) {
  const name = v.union([v.string(), v.pipe(v.array(v.string()), v.minLength(1))]);
  const specifier = v.union([
    v.string(),
    v.variant('from', [
      v.strictObject({ from: v.literal('file'), name, path: v.optional(v.string()) }),
      v.strictObject({ from: v.literal('package'), name, package: v.string() }),
      v.strictObject({ from: v.literal('lib'), name }),
    ]),
  ]);
  const index = v.pipe(v.number(), v.integer(), v.minValue(0));
  const connection = v.picklist(['pooled', 'pinned', 'transaction', 'stateless']);
  const ofHelper = v.optional(v.union([connection, v.strictObject({ argument: index })]));
  const results = ['result', 'rows', 'row', 'value'] as const;
  const result = v.optional(v.picklist(results));
  const strings = v.pipe(v.array(v.string()), v.minLength(1));
  const flag = v.optional(v.boolean());
  const callee = { function: v.optional(specifier), type: v.optional(specifier), member: v.optional(v.union([v.string(), strings])) };
  const helper = { ...callee, key: v.optional(v.union([index, v.strictTuple([index, index])])), shared: flag, connection: ofHelper, result: v.optional(v.picklist([...results, 'nothing'])) };
  const handle = v.strictObject({
    type: v.optional(specifier), function: v.optional(specifier), value: v.optional(specifier),
    connection: v.optional(connection), direct: flag, run: v.optional(strings), result,
  });
  const query = v.strictObject({ ...callee, connection: ofHelper, sql: v.optional(index), values: v.optional(index), result });
  const lock = v.strictObject({ ...helper, try: flag, level: v.optional(v.picklist(['session', 'transaction'])), unlock: v.optional(v.union([v.literal(true), v.string()])) });
  const unlock = v.strictObject({ ...helper, all: flag });
  const lists = { handles: handle, queries: query, locks: lock, unlocks: unlock };
  const plain = { fixSuggestions: v.boolean(), typesOnDemand: v.boolean(), pooler: v.picklist(['transaction']), $schema: v.string() };
  const all = v.strictObject({
    fixSuggestions: v.optional(plain.fixSuggestions), typesOnDemand: v.optional(plain.typesOnDemand),
    handles: v.optional(v.array(handle)), queries: v.optional(v.array(query)), locks: v.optional(v.array(lock)), unlocks: v.optional(v.array(unlock)),
    pooler: v.optional(plain.pooler), $schema: v.optional(plain.$schema),
  });
  return { v, all, lists, plain };
}

export type Schemas = ReturnType<typeof make>;

let made: Schemas | undefined;

export const schemas = (): Schemas => (made ??= make(load('valibot') as Valibot));
