/**
 * Why a connection string goes through a pooler in transaction mode, where even one client is no session between transactions;
 * `undefined` where the text does not say so. Only forms that providers document:
 * - Neon puts PgBouncer in transaction mode behind host names with `-pooler` (neon.tech/docs/connect/connection-pooling);
 * - Supabase serves transaction mode on port 6543 (supabase.com/docs/guides/database/connecting-to-postgres);
 * - `pgbouncer=true` tells Prisma and others of PgBouncer in transaction mode.
 */
export function transactionPooler(url: string): string | undefined {
  if (/^[^?]*-pooler\.[\w.-]/.test(url)) return 'the host name ends in `-pooler`';
  if (/:6543(?:[/?]|$)/.test(url)) return 'port 6543';
  if (/[?&]pgbouncer=true(?:&|$)/i.test(url)) return '`pgbouncer=true`';
  return undefined;
}
