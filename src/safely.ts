/**
 * Runs what must not end the lint run of all other files: a fault of ours is said once for each file, and costs what was asked for.
 */
export function safely<T>(what: string, fileName: string, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.emitWarning(`eslint-plugin-pg-advisory-lock could not ${what} ${fileName}; please report this. ${reason}`, { code: 'PG_ADVISORY_LOCK_FAULT' });
    return undefined;
  }
}
