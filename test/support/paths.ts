import { fileURLToPath } from 'node:url';

/** Absolute path below the top of the project, without a slash at its end. */
export function inProject(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url)).replace(/[\\/]$/, '');
}

export const projectRoot = inProject('');
