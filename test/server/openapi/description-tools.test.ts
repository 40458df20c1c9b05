import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { runTool } from '../../helpers/servers/processes/run-tool.ts';

const { app } = await openTestServer();
const folder = mkdtempSync(join(tmpdir(), 'parley-description-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const description = join(folder, 'openapi.json');
writeFileSync(description, (await app.inject({ method: 'GET', url: '/openapi.json' })).body);

test('Redocly reports no errors and no warnings', async () => {
  const args = ['lint', description, '--config', 'test/redocly.yaml'];
  const { code, said } = await runTool('node_modules/@redocly/cli/bin/cli.js', args);
  expect(code, said).toBe(0);
  expect(said).toContain('Your API description is valid');
});

test('the types of the dashboard and of the client match the description: npm run types:api writes them', async () => {
  const files = { dashboard: 'dashboard/browser/api/api-types.ts', client: 'client/api-types.ts' };
  const written = Object.keys(files).map((name) => join(folder, `${name}.ts`));
  const { code, said } = await runTool('test/helpers/servers/openapi/write-api-types.ts', [
    ...written,
    description,
  ]);
  expect(code, said).toBe(0);
  const server = join(import.meta.dirname, '../../../server');
  expect(written.map((file) => readFileSync(file, 'utf8'))).toEqual(
    Object.values(files).map((file) => readFileSync(join(server, file), 'utf8')),
  );
});
