// @ts-check
// Generates the Prisma clients that fixtures import: one in `node_modules` (`prisma-client-js`), one among the fixtures
// (`prisma-client`). Neither a network nor a server is needed: the schema engine that Prisma would download is not used here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const schema = join(root, 'fixtures/prisma/schema.prisma');
const inPackages = join(root, 'node_modules/.prisma/client/index.d.ts');
const stamp = join(root, 'fixtures/prisma/generated/.stamp');

/** Vitest runs it before all tests. Does nothing where both are there and of this schema and version. */
export default function generateClients() {
  const version = readFileSync(join(root, 'node_modules/prisma/package.json'), 'utf8');
  const wanted = createHash('sha256').update(version).update(readFileSync(schema)).digest('hex');
  if (existsSync(inPackages) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules/prisma/build/index.js'), 'generate', '--schema', schema], {
    cwd: root, encoding: 'utf8', env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  });
  if (status !== 0) throw new Error(`prisma generate failed.\n${stdout}${stderr}`);
  writeFileSync(stamp, wanted);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) generateClients();
