import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startSilentProvider } from '../helpers/models/providers/silent-provider.ts';
import { runProduct, startProduct } from '../helpers/servers/processes/run-product.ts';
import { emptyTestFolder, testDataFolder } from '../helpers/stores/databases/test-data-folder.ts';
import { createDatabase, testEngines } from '../helpers/stores/databases/test-databases.ts';

const run = promisify(execFile);

/** Runs a start that must fail, and returns its exit code and output. */
async function failedStart(environment: Readonly<Record<string, string>>, services?: readonly string[]) {
  const child = startProduct(environment, services);
  const [[code], output, errors] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, output, errors };
}

/** Starts run while other tests use the CPU as well. */
describe('npm start', { timeout: 300_000 }, () => {
  const DATA_DIR = testDataFolder();

  test('prints a command that answers when it is pasted, on an empty folder and at a second start', async () => {
    const HOME = emptyTestFolder();
    for (const start of ['first', 'second']) {
      const product = await runProduct({ DATA_DIR, HOME });
      await expect.poll(() => product.output(), { timeout: 60_000 }).toContain("-d '{");
      const pasted = product.output().slice(product.output().indexOf('  curl'));
      expect(product.output().includes('Admin token adm_')).toBe(start === 'first');
      const { stdout } = await run('bash', ['-c', pasted]);
      expect(JSON.parse(stdout)).toMatchObject({
        confidence: 'high',
        answer: expect.stringContaining('£11.50'),
      });
      expect(await product.end('SIGTERM')).toBe(0);
    }
    // ONNX Runtime would have created an identity for its telemetry there.
    expect(readdirSync(HOME, { recursive: true })).toEqual([]);
  });

  test('stops the workers while a request is in progress', async () => {
    const provider = await startSilentProvider();
    const product = await runProduct({
      DATA_DIR,
      LOG_LEVEL: 'info',
      SHUTDOWN_SECONDS: '60',
      LLM_MODELS: 'openai:silent',
      OPENAI_API_KEY: 'sk-silent',
      OPENAI_BASE_URL: provider.baseUrl,
    });
    await expect.poll(() => product.output(), { timeout: 60_000 }).toContain("-d '{");
    const pasted = product.output().slice(product.output().indexOf('  curl'));
    const asking = run('bash', ['-c', pasted]).catch(() => 'cut off');
    await provider.asked;
    const ended = product.end('SIGTERM');
    await expect.poll(() => product.errors(), { timeout: 30_000 }).toContain('workers stopped');
    expect(await Promise.race([asking, 'still being answered'])).toBe('still being answered');
    await Promise.all([product.end('SIGKILL'), ended, asking]);
  });

  test('rejects a second process on the same folder in one line, and the first one continues', async () => {
    const product = await runProduct({ DATA_DIR });
    const { code, output, errors } = await failedStart({ DATA_DIR });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(
      /^Process \d+ is using DATA_DIR \S+\. Stop it first, or set DATA_DIR to another folder for this process\.\n$/,
    );
    expect((await fetch(`${product.address}/readyz`)).status).toBe(200);
    await product.end('SIGTERM');
  });

  test.each([
    [{ PORT: 'many' }, /^PORT has the invalid value "many"\. Set it to a port number from 0 to 65535\.\n$/],
    [
      { LLM_MODELS: 'openai:gpt' },
      /^OPENAI_API_KEY is not set, but LLM_MODELS uses the provider openai, which needs it\. .+\n$/,
    ],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^Cannot use the database 127\.0\.0\.1:1\/x from DATABASE_URL: .+\n$/,
    ],
    [{ DATA_DIR: '/dev/null/data' }, /^Cannot use DATA_DIR \/dev\/null\/data: .+\n$/],
  ])('%o stops the start with one line and exit code 1', async (environment, line) => {
    const { code, errors } = await failedStart({ DATA_DIR, ...environment });
    expect(errors).toMatch(line);
    expect(code).toBe(1);
  });

  test.runIf(testEngines.includes('postgres'))('an unknown worker stops the start as well', async () => {
    const environment = { DATABASE_URL: await createDatabase(), DATA_DIR: emptyTestFolder() };
    const { code, errors } = await failedStart(environment, ['workers', 'deliver', 'sweeper']);
    expect({ code, errors }).toEqual({
      code: 1,
      errors:
        'Unknown worker "sweeper". Use one or more of: ingest, housekeeping, webhooks, summaries, inbox, sources, evaluation, tickets, gaps, answer, deliver, listeners.\n',
    });
  });

  test.runIf(testEngines.includes('postgres'))(
    'workers that do not search start and stop without an embedding model',
    async () => {
      const environment = {
        DATABASE_URL: await createDatabase(),
        DATA_DIR: emptyTestFolder(),
        LOG_LEVEL: 'info',
      };
      const child = startProduct(environment, ['workers', 'deliver', 'listeners']);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const errors = text(child.stderr);
      await expect.poll(() => output, { timeout: 60_000 }).toContain('Queue');
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      expect([(await gone)[0], output.includes('Embeddings')]).toEqual([0, false]);
      expect(await errors).not.toContain('embedding model');
    },
  );
});
