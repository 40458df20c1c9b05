import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../../core/answering/ask.ts';
import { AppError } from '../../../../core/errors.ts';
import { startFakeProvider, unhurried } from '../../../helpers/fake-provider.ts';
import { freePort } from '../../../helpers/free-port.ts';
import { startSilentProvider } from '../../../helpers/silent-provider.ts';
import { openTestWriter, shopTask, writtenBy } from '../../../helpers/test-writer.ts';

const says = {
  good: 'Parcels arrive within 3 working days [1]. You may return tools within 30 days [2].',
  plain: 'Parcels arrive within three working days. Express delivery costs 9.50 euros.',
  inventive: 'Parcels arrive within three working days [1]. Breakfast on Mars costs 99 euros [1].',
  unknowing: 'NO_ANSWER',
  worldly: 'GENERAL_KNOWLEDGE\nThe Moon circles the Earth.',
};
const provider = await startFakeProvider(says);
provider.mock.on({ model: 'unhurried' }, { content: says.good }, unhurried);
provider.mock.on({ model: 'eager' }, { toolCalls: [{ name: 'find_order', arguments: '{"number":7}' }] });
provider.mock.on(
  { model: 'small', predicate: ({ tools: offered }) => (offered ?? []).length > 0 },
  { error: { message: 'small does not support tools' }, status: 400 },
);
provider.mock.on({ model: 'small' }, { content: 'Parcels arrive within three working days [1].' });
const tools = [{ name: 'find_order', description: 'Finds an order.', parameters: { type: 'object' } }];
const open = (models: string, more: Partial<Parameters<typeof openTestWriter>[0]> = {}) =>
  openTestWriter({
    ...more,
    environment: { ...provider.environment, LLM_MODELS: models, ...more.environment },
  });

describe.each(['openai', 'anthropic'])('an answer of %s', (dialect) => {
  const answer = async (model: string, fields: Parameters<typeof shopTask>[0] = {}) =>
    writtenBy((await open(`${dialect}:${model}`)).writer, shopTask(fields));

  test.each([true, false])(
    'has no numbers of passages, and names those it is from (streamed: %s)',
    async (streamed) => {
      const { text, chunkIds, tokensUsed } = await answer('good', { streamed });
      expect(text).toBe('Parcels arrive within 3 working days. You may return tools within 30 days.');
      expect(chunkIds).toEqual(['chunk_delivery', 'chunk_returns']);
      expect(tokensUsed).toBeGreaterThan(0);
    },
  );

  test('is heard while it is written, where somebody listens', async () => {
    expect((await answer('unhurried')).pieces).toBeGreaterThan(2);
    expect((await answer('good', { streamed: false })).pieces).toBe(1);
  });

  test('names the passages it is from without having told their numbers', async () => {
    expect((await answer('plain')).chunkIds).toEqual(['chunk_delivery']);
  });

  test.each([true, false])('leaves out what no passage holds up (streamed: %s)', async (streamed) => {
    const { text, isGrounded } = await answer('inventive', { streamed });
    expect(text).toBe('Parcels arrive within three working days.');
    expect(isGrounded).toBe(true);
  });

  test.each([true, false])('is empty where the passages hold none (streamed: %s)', async (streamed) => {
    expect(await answer('unknowing', { streamed })).toMatchObject({ text: '', isGrounded: false });
  });

  test('may be from general knowledge where that is allowed, and says so', async () => {
    const answered = await answer('worldly', { strictness: 'fallback' });
    expect(answered).toMatchObject({ text: 'The Moon circles the Earth.', isGrounded: false, chunkIds: [] });
  });

  test.each([true, false])(
    'may be the wish to have something done, when that was offered (streamed: %s)',
    async (streamed) => {
      const answered = await answer('eager', { streamed, tools });
      expect(answered).toMatchObject({ text: '', wantsAction: true });
      expect(answered.tokensUsed).toBeGreaterThan(0);
    },
  );

  test('comes from a model that takes no tools too', async () => {
    expect(await answer('small', { tools })).toMatchObject({
      text: 'Parcels arrive within three working days.',
      wantsAction: false,
    });
  });
});

test('the model gets the temperature that was asked for', async () => {
  const { writer } = await open('openai:good');
  await writtenBy(writer, shopTask({ temperature: 0.7 }));
  expect(provider.mock.getLastRequest()?.body).toMatchObject({ temperature: 0.7, model: 'good' });
});

test("a workspace's own model is asked first", async () => {
  const { writer } = await open('openai:broken');
  const { text } = await writtenBy(writer, shopTask({ model: 'anthropic:plain' }));
  expect(text).toBe(says.plain);
});

test("a workspace's own model whose provider is not configured is passed over", async () => {
  const { writer, logged } = await open('openai:plain');
  const { text } = await writtenBy(writer, shopTask({ model: 'mistral:small' }));
  expect(text).toBe(says.plain);
  expect(logged.join()).toContain('mistral:small');
});

describe.each(['openai', 'anthropic'])('when a model of %s fails', (dialect) => {
  const faults = ['limited', 'broken', 'locked', 'garbled', 'cut-at-once'];

  test.each(faults)('the next one answers (%s)', async (fault) => {
    const { writer } = await open(`${dialect}:${fault}, openai:plain`);
    expect(await writtenBy(writer, shopTask())).toMatchObject({ text: says.plain, isGrounded: true });
    expect((await writtenBy(writer, shopTask({ streamed: false }))).text).toBe(says.plain);
  });

  test.each(faults)('and no other is there, the caller is told so (%s)', async (fault) => {
    const { writer } = await open(`${dialect}:${fault}`);
    await expect(writtenBy(writer, shopTask())).rejects.toMatchObject({ code: 'model_provider_error' });
  });

  test('the key is never logged', async () => {
    const { writer, logged } = await open(`${dialect}:locked, openai:plain`);
    await writtenBy(writer, shopTask());
    expect(logged.join()).toContain('check LLM_MODELS');
    expect(logged.join()).not.toContain('the-secret-key');
  });

  test('no other goes on after something was shown', async () => {
    const { writer } = await open(`${dialect}:cut-midway, openai:plain`);
    const shown: string[] = [];
    const reading = (async () => {
      for await (const { text } of writer.write(shopTask())) shown.push(text);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'model_provider_error' });
    expect('Parcels arrive within three working days.').toContain(shown.join(''));
    expect(shown.join('')).not.toBe('');
  });
});

test('a model that is silent for too long is given up for the next one', async () => {
  const silent = await startSilentProvider();
  const { writer } = await open('openai-compatible:silent, openai:plain', {
    patienceMs: 3_000,
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  expect((await writtenBy(writer, shopTask())).text).toBe(says.plain);
  await silent.left;
});

test('silence of the only model is a time-out, and the log says how long it was waited for', async () => {
  const silent = await startSilentProvider();
  const { writer, logged } = await open('openai-compatible:silent', {
    patienceMs: 50,
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  await expect(writtenBy(writer, shopTask())).rejects.toMatchObject({
    code: 'upstream_timeout',
    status: 502,
  });
  expect(logged.join()).toContain('"reason":"no output for 0.05 s"');
});

test.each([true, false])(
  'the last model may be silent until the request itself ends, which counts against it (streamed: %s)',
  async (streamed) => {
    const silent = await startSilentProvider();
    const { writer } = await open('openai-compatible:silent', {
      patienceMs: 50,
      lastPatienceMs: 60_000,
      environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
    });
    const give = async () => {
      const request = new AbortController();
      const end = streamed ? new Interruption('timeout') : new AppError('request_timeout');
      setTimeout(() => request.abort(end), 300);
      const writing = writtenBy(writer, shopTask({ streamed, signal: request.signal }));
      await expect(writing).rejects.toBe(end);
    };
    for (let failure = 0; failure < 3; failure += 1) await give();
    await expect(writtenBy(writer, shopTask({ streamed }))).rejects.toMatchObject({ code: 'provider_down' });
  },
);

test.each([
  ['two that answer with errors', 'openai:broken, anthropic:broken'],
  ['a wrong key and an error', 'openai:locked, openai:broken'],
  ['one that is silent and one that is broken', 'openai-compatible:silent, openai:broken'],
])('of two models that both fail the caller is told provider_down: %s', async (_what, models) => {
  const silent = await startSilentProvider();
  const { writer } = await open(models, {
    patienceMs: 500,
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  await expect(writtenBy(writer, shopTask())).rejects.toMatchObject({ code: 'provider_down', status: 503 });
});

test('silence in the middle of an answer is logged as that', async () => {
  const silent = await startSilentProvider(['Parcels', ' arrive']);
  const { writer, logged } = await open('openai-compatible:silent', {
    patienceMs: 1_000,
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  await expect(writtenBy(writer, shopTask())).rejects.toThrow();
  expect(logged.join()).toContain('"reason":"no further output for 1 s"');
});

test('when no provider can be reached the caller is told so', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const { writer } = await open('openai:a, anthropic:b', {
    environment: { OPENAI_BASE_URL: `${baseUrl}/v1`, ANTHROPIC_BASE_URL: baseUrl },
  });
  await expect(writtenBy(writer, shopTask())).rejects.toMatchObject({ code: 'provider_down', status: 503 });
});

test('a provider that wants to be left alone is not asked before its time', async () => {
  let now = Date.now();
  const { writer } = await open('openai:limited, openai:plain', { clock: { now: () => new Date(now) } });
  const askedAgain = async () => {
    provider.mock.clearRequests();
    await writtenBy(writer, shopTask());
    return provider.asked();
  };
  expect(await askedAgain()).toEqual(['limited', 'plain']);
  now += 59_000;
  expect(await askedAgain()).toEqual(['plain']);
  now += 2_000;
  expect(await askedAgain()).toEqual(['limited', 'plain']);
});

test.each([true, false])('a reader who goes away closes the connection (streamed: %s)', async (streamed) => {
  const silent = await startSilentProvider(streamed ? ['Parcels', ' arrive'] : []);
  const { writer } = await open('openai-compatible:silent', {
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  const reader = new AbortController();
  const reading = writtenBy(writer, shopTask({ streamed, signal: reader.signal }));
  await silent.asked;
  reader.abort(new RangeError('went away'));
  await expect(reading).rejects.toThrow('went away');
  await silent.left;
});

test.each([
  ['a.', 'strict'],
  ['a.', 'fallback'],
  ['No parcel knows. ', 'strict'],
] as const)(
  'a model that writes %j without end is heard no longer than twice what is shown (%s)',
  async (words, strictness) => {
    const total = 50_000;
    const heard = Promise.withResolvers<number>();
    const endless = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let written = 0;
      const write = () => {
        while (written < total && !response.destroyed) {
          const choice = { index: 0, delta: { content: words }, finish_reason: null };
          const piece = {
            id: '1',
            object: 'chat.completion.chunk',
            created: 1,
            model: 'endless',
            choices: [choice],
          };
          written += 1;
          if (!response.write(`data: ${JSON.stringify(piece)}\n\n`)) return;
        }
        response.end('data: [DONE]\n\n');
      };
      response.on('drain', write);
      response.on('close', () => heard.resolve(written));
      write();
    });
    const port = await freePort();
    await new Promise<void>((resolve) => endless.listen(port, '127.0.0.1', resolve));
    const { writer } = await openTestWriter({
      environment: {
        OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
        LLM_MODELS: 'openai-compatible:endless',
      },
    });
    const { text } = await writtenBy(writer, shopTask({ strictness }));
    expect(await heard.promise).toBeLessThan(total);
    expect(text.length).toBeLessThanOrEqual(8_000);
    endless.closeAllConnections();
    endless.close();
  },
);

test('an answer without end that comes whole is read as far, too', async () => {
  provider.mock.on({ model: 'endless' }, { content: 'a.'.repeat(50_000) });
  const { writer } = await open('openai:endless');
  const { text, isGrounded } = await writtenBy(writer, shopTask({ streamed: false, strictness: 'fallback' }));
  expect(text.length).toBeLessThanOrEqual(8_000);
  expect(isGrounded).toBe(false);
});
