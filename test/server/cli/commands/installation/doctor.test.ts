import { afterAll, beforeAll, expect, test } from 'vitest';
import { start } from '../../../../../server/main.ts';
import { startStrictServer } from '../../../../helpers/models/providers/strict-server.ts';
import { openTestRuntime } from '../../../../helpers/servers/open-test-runtime.ts';
import { doParley } from '../../../../helpers/servers/processes/do-parley.ts';
import { emptyTestFolder } from '../../../../helpers/stores/databases/test-data-folder.ts';

const runtime = await openTestRuntime();
const environment = { DATA_DIR: runtime.config.DATA_DIR, ADMIN_TOKEN: runtime.installation.adminToken };
const doctor = (...args: readonly string[]) => doParley(['doctor', ...args], environment);

beforeAll(async () => {
  const server = await start(runtime);
  afterAll(() => server.stop());
});

test('a running server checks itself, and warnings are no failure', async () => {
  const { code, stdout, stderr } = await doctor();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^ok {4}database: \S.*$/m);
  expect(stdout).toMatch(/^warn {2}worker answer: .*npm start/m);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => !/^(?:ok {4}|warn {2})\S.*: \S/.test(line))).toEqual([]);
});

test('prints the findings as JSON, and exits with 1 if a part fails', async () => {
  const { checkModels } = runtime;
  const { ProviderFailure } = await import('../../../../../core/models/provider-failure.ts');
  const failure = new ProviderFailure('misconfigured', { cause: '401 the-secret-key' });
  Object.assign(runtime, { checkModels: async () => [{ model: 'openai:gone', failure }] });
  const { code, stdout, stderr } = await doctor('--json');
  Object.assign(runtime, { checkModels });
  expect([code, stderr]).toEqual([1, 'parley: One part fails. (parts_failed)\n']);
  expect(stdout).not.toContain('the-secret-key');
  expect(JSON.parse(stdout).findings).toContainEqual({
    part: 'model openai:gone',
    state: 'fail',
    text: 'It does not answer: misconfigured.',
    advice: expect.stringContaining('LLM_MODELS'),
  });
});

test('an invalid configuration is a finding, one line for each variable', async () => {
  const { code, stdout } = await doParley(['doctor'], {
    ...environment,
    PORT: 'x',
    RERANK_MODEL: 'voyage:r',
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fail {2}start: PORT has the invalid value/m);
  expect(stdout).toMatch(/^fail {2}start: VOYAGE_API_KEY is not set/m);
  const asJson = await doParley(['doctor', '--json'], { ...environment, PORT: 'x' });
  expect(JSON.parse(asJson.stdout).findings).toMatchObject([{ part: 'start', state: 'fail' }]);
});

test('without a server, this process checks the data folder and the models', async () => {
  const { url } = await startStrictServer(() => ({ refuses: 'no such key: the-secret-key', status: 401 }));
  const alone = {
    DATA_DIR: emptyTestFolder(),
    ADMIN_TOKEN: environment.ADMIN_TOKEN,
    LLM_MODELS: 'lab:m',
    OPENAI_COMPATIBLE_BASE_URL_LAB: url,
    OPENAI_COMPATIBLE_API_KEY_LAB: 'the-secret-key',
    EMBEDDING_ENGINE: 'wasm',
  };
  const { code, stdout, stderr } = await doParley(['doctor'], alone);
  expect(code, stderr).toBe(1);
  expect(stdout).toMatch(/^warn {2}server: .*npm start/m);
  expect(stdout).toMatch(
    /^fail {2}model lab:m: It does not answer: misconfigured\. Check the provider's API key/m,
  );
  expect(stdout + stderr).not.toContain('the-secret-key');
});
