import { createRequire } from 'node:module';

// The manifest stands two folders above the built file, and one above the source.
const require = createRequire(import.meta.url);

function manifest(): { name: string; version: string } {
  for (const path of ['../../package.json', '../package.json']) {
    try {
      const found = require(path) as { name: string; version: string };
      if (found.name === 'eslint-plugin-pg-advisory-lock') return found;
    } catch {
      // not there: the other place is tried
    }
  }
  return { name: 'eslint-plugin-pg-advisory-lock', version: '0.0.0' };
}

export const { name, version } = manifest();
