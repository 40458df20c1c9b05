import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCatalogue } from '../../../../core/base/error-catalogue.ts';
import { createLog } from '../../../../core/base/log.ts';
import { readConfig } from '../../../../core/config/config.ts';
import { openRuntime } from '../../../../core/runtime/runtime.ts';
import { buildApp } from '../../../../server/app.ts';
import { toClientDescription } from './client-description.ts';

const compiler = new URL('../../code/typescript-api.ts', import.meta.url).href;
const fileAt = (path: string) => fileURLToPath(new URL(`../../../../server/${path}`, import.meta.url));

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? compiler : specifier, context),
});

/**
 * `write-api-types.ts [TYPES CLIENT-TYPES [DESCRIPTION]]`: the files to write and to read; a server is asked without the
 * latter.
 */
const [
  dashboardFile = fileAt('dashboard/browser/api/api-types.ts'),
  clientFile = fileAt('client/api-types.ts'),
  source,
] = process.argv.slice(2);
const description = JSON.parse(source === undefined ? await apiDescription() : readFileSync(source, 'utf8'));
const { astToString, default: generate } = await import('openapi-typescript');
const notice = '// Made by npm run types:api from /openapi.json; a test checks that it is up to date.\n\n';
writeFileSync(dashboardFile, `${notice}${astToString(await generate(description))}`);
const codes = Object.keys(errorCatalogue).map((code) => `  | '${code}'`);
writeFileSync(
  clientFile,
  `${notice}/** The \`code\` of an error, as the service answers it. */\nexport type ErrorCode =\n${codes.join('\n')};\n\n${astToString(await generate(toClientDescription(description), { defaultNonNullable: false }))}`,
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
