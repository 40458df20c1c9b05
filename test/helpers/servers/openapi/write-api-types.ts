import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { apiDescription } from './api-description.ts';

const compiler = new URL('../../code/typescript-api.ts', import.meta.url).href;
const ownFile = fileURLToPath(
  new URL('../../../../server/dashboard/browser/api/api-types.ts', import.meta.url),
);

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? compiler : specifier, context),
});

/** `write-api-types.ts [TYPES [DESCRIPTION]]`: the files to write and to read; a server is asked without the latter. */
const [target = ownFile, source] = process.argv.slice(2);
const description = source === undefined ? await apiDescription() : readFileSync(source, 'utf8');
const { astToString, default: generate } = await import('openapi-typescript');
const types = astToString(await generate(JSON.parse(description)));
writeFileSync(
  target,
  `// Made by npm run types:api from /openapi.json; a test checks that it is up to date.\n\n${types}`,
);
