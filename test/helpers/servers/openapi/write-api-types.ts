import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLog } from '../../../../core/base/log.ts';
import { readConfig } from '../../../../core/config/config.ts';
import { openRuntime } from '../../../../core/runtime/runtime.ts';
import { buildApp } from '../../../../server/app.ts';

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

/** Returns the answer of a server with no configuration of its own at /openapi.json. */
async function apiDescription(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-description-'));
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const runtime = await openRuntime(config, createLog(config.LOG_LEVEL));
  const app = buildApp(runtime);
  try {
    return (await app.inject({ method: 'GET', url: '/openapi.json' })).body;
  } finally {
    await app.close();
    await runtime.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
