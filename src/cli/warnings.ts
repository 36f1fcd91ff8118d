/** Why types could not be had, which the plugin says as warnings of the process; all other warnings are shown as usual. */
export function gatherTypeWarnings(): string[] {
  const reasons: string[] = [];
  const usual = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { code?: string }) => {
    if (warning.code === 'PG_ADVISORY_LOCK_TYPES') reasons.push(warning.message);
    else for (const listener of usual) listener(warning);
  });
  return reasons;
}
