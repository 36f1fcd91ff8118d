/**
 * The story of a lock that locks nothing, told by ESLint and a real server: what the plugin says of fixtures/example-app, what
 * its quick fixes change, and what the server sees of both versions. Needs a build before.
 */
import * as typescript from './demo/typescript-hook.mjs';
import module from 'node:module';

// Node 20 runs no TypeScript, and newer Nodes give up its way to teach it.
const { registerHooks } = /** @type {Partial<typeof module>} */ (module);
if (registerHooks) registerHooks(typescript);
else module.register('./demo/typescript-hook.mjs', import.meta.url);

const { main } = await import('./demo/main.js');
process.exitCode = await main(process.stdout);
