/**
 * Sets of PostgreSQL's keywords by their place in a statement.
 * https://www.postgresql.org/docs/current/sql-keywords-appendix.html
 */
function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Words that may not be an output column's name without `AS` before it ("requires AS"). */
export const requiresAs = words(`array as char character create day except fetch filter for from grant group having hour intersect
  into isnull limit minute month notnull offset on order over overlaps precision returning second to union varying where window
  with within without year`);

/** Reserved words: neither a column, nor a function, nor an alias of a table. */
export const reserved = words(`all analyse analyze and any array as asc asymmetric both case cast check collate column constraint
  create current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc distinct do
  else end except false fetch for foreign from grant group having in initially intersect into lateral leading limit localtime
  localtimestamp not null offset on only or order placing primary references returning select session_user some symmetric
  system_user table then to trailing true union unique user using variadic when where window with`);

/** Words that may be a function's or a type's name, but not an alias of a table. */
export const notTableAlias = words(`authorization binary collation concurrently cross current_schema freeze full ilike inner is
  isnull join left like natural notnull outer overlaps right similar tablesample verbose`);

/** After these a value begins, so that a `?` is a placeholder and a `-` a sign. */
export const beforeValue = words(`all and any as asymmetric between by case cast check default distinct else end escape except for
  from having ilike in intersect into is like limit not offset on or placing returning select set similar some symmetric then to
  union using values variadic when where with array row call perform return execute lateral unnest`);

/** Words that begin or join clauses. */
export const clauseWords = words(`select with insert update delete values where from and or order limit group having join on set returning as`);

/** Names of types: `pg_advisory_lock(bigint)` is a signature, not a call. */
export const signatureTypes = words(`int integer int4 bigint int8 text`);

/** Values that look like columns but are not. */
export const valueWords = words(`current_catalog current_date current_role current_schema current_time current_timestamp current_user
  localtime localtimestamp session_user system_user user default`);

/** Functions whose arguments have a grammar of their own. */
export const specialArguments = words(`extract overlay position substring trim treat normalize cast collation xmlelement xmlforest
  xmlparse xmlpi xmlroot xmlserialize xmlexists xmltable xmlattributes xmlnamespaces xmlconcat json json_object json_array
  json_objectagg json_arrayagg json_scalar json_serialize json_exists json_query json_value json_table`);

/** Aggregates of PostgreSQL. https://www.postgresql.org/docs/current/functions-aggregate.html */
export const aggregates = words(`any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or count every json_agg json_agg_strict
  json_arrayagg json_object_agg json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict json_objectagg jsonb_agg
  jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict max min range_agg
  range_intersect_agg string_agg sum xmlagg corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2
  regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp variance var_pop var_samp mode percentile_cont
  percentile_disc grouping`);

/** Functions that neither read nor write anything that another session could see. */
export const idle = words(`abs array_length cardinality ceil clock_timestamp coalesce concat concat_ws current_database
  current_setting decode digest encode exists extract floor format gen_random_uuid generate_series generate_subscripts greatest
  hashtext hashtextextended hashint4 hashint8 hashint8extended hashint4extended hashchar hashoid uuid_hash uuid_hash_extended
  hash_array hash_record inet_client_addr jsonb_build_object json_build_object jsonb_build_array json_build_array left length least
  lower ltrim md5 mod now nullif pg_backend_pid pg_typeof position random replace right round row_number row_to_json rtrim sha224
  sha256 sha384 sha512 split_part statement_timestamp string_to_array strpos substr substring timeofday to_char to_json to_jsonb
  to_number transaction_timestamp translate trim trunc txid_current unnest upper version width_bucket set_config crc32 crc32c
  get_byte set_byte date_part date_trunc pg_current_xact_id convert_to`);
