import { createRequire } from 'node:module';

type Check = ((value: unknown) => boolean) & { errors?: unknown };

// It comes with ESLint.
const Ajv = createRequire(createRequire(import.meta.url).resolve('eslint'))('ajv') as new (options: object) => { compile(schema: object): Check };

/** Whether a value is as a JSON schema says. */
export function checkBy(schema: object): Check {
  return new Ajv({ schemaId: 'auto', meta: false, validateSchema: false, unknownFormats: 'ignore', logger: false }).compile(schema);
}
