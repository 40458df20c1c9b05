import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { Interruption } from '../../../../core/contract/answer.ts';
import { startFakeProvider, unhurried } from '../../../helpers/models/providers/fake-provider.ts';
import { startSilentProvider } from '../../../helpers/models/providers/silent-provider.ts';
import { openTestWriter, shopTask, writtenBy } from '../../../helpers/models/test-writer.ts';
import { freePort } from '../../../helpers/servers/network/free-port.ts';

const says = {
  good: 'Parcels arrive within 3 working days [1]. You may return tools within 30 days [2].',
  plain: 'Parcels arrive within three working days. Express delivery costs 9.50 euros.',
  inventive: 'Parcels arrive within three working days [1]. Breakfast on Mars costs 99 euros [1].',
  unknowing: 'NO_ANSWER',
  thinker:
    '<think>The user asks X. Secret reasoning.</think>\n\nParcels arrive within three working days. Express delivery costs 9.50 euros.',
  'deepseek-r1':
    'The user asks X. Secret reasoning.\n</think>\n\nParcels arrive within three working days. Express delivery costs 9.50 euros.',
  both: 'PART_1\nParcels arrive within 3 working days [1].\n\n**PART_2:** You may return tools within 30 days [2].',
  half: 'PART_1\nParcels arrive within 3 working days [1].\nPART_2\nNO_ANSWER',
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
    'has no passage numbers, and reports the passages it cites (streamed: %s)',
    async (streamed) => {
      const { text, chunkIds, tokensUsed } = await answer('good', { streamed });
      expect(text).toBe('Parcels arrive within 3 working days. You may return tools within 30 days.');
      expect(chunkIds).toEqual(['chunk_delivery', 'chunk_returns']);
      expect(tokensUsed).toBeGreaterThan(0);
    },
  );

  test('is streamed if a listener is given', async () => {
    expect((await answer('unhurried')).pieces).toBeGreaterThan(2);
    expect((await answer('good', { streamed: false })).pieces).toBe(1);
  });

  test('reports its passages without showing their numbers', async () => {
    expect((await answer('plain')).chunkIds).toEqual(['chunk_delivery']);
  });

  const parts = ['How long does delivery take?', 'May I return tools?'];

  test.each([true, false])('answers each of several questions below it (streamed: %s)', async (streamed) => {
    expect(await answer('both', { streamed, parts })).toMatchObject({
      text: `**${parts[0]}**\nParcels arrive within 3 working days.\n\n**${parts[1]}**\nYou may return tools within 30 days.`,
      answeredParts: [0, 1],
    });
  });

  test.each([true, false])('reports the question that it leaves open (streamed: %s)', async (streamed) => {
    expect(await answer('half', { streamed, parts })).toMatchObject({
      text: `**${parts[0]}**\nParcels arrive within 3 working days.`,
      answeredParts: [0],
    });
  });

  test.each([true, false])('omits sentences that no passage supports (streamed: %s)', async (streamed) => {
    const { text, isGrounded, isTrimmed } = await answer('inventive', { streamed });
    expect(text).toBe('Parcels arrive within three working days.');
    expect([isGrounded, isTrimmed]).toEqual([true, true]);
  });

  test.each([true, false])('is empty if the passages contain no answer (streamed: %s)', async (streamed) => {
    expect(await answer('unknowing', { streamed })).toMatchObject({ text: '', isGrounded: false });
  });

  test('may use general knowledge in fallback mode, and is marked ungrounded', async () => {
    const answered = await answer('worldly', { strictness: 'fallback' });
    expect(answered).toMatchObject({ text: 'The Moon circles the Earth.', isGrounded: false, chunkIds: [] });
  });

  test.each([true, false])('may be a request for an offered action (streamed: %s)', async (streamed) => {
    const answered = await answer('eager', { streamed, tools });
    expect(answered).toMatchObject({ text: '', wantsAction: true });
    expect(answered.tokensUsed).toBeGreaterThan(0);
  });

  test('works with a model that rejects tools', async () => {
    expect(await answer('small', { tools })).toMatchObject({
      text: 'Parcels arrive within three working days.',
      wantsAction: false,
    });
  });
});

test('passes the requested temperature to the model', async () => {
  const { writer } = await open('openai:good');
  await writtenBy(writer, shopTask({ temperature: 0.7 }));
  expect(provider.mock.getLastRequest()?.body).toMatchObject({ temperature: 0.7, model: 'good' });
});

test("tries the workspace's own model first", async () => {
  const { writer } = await open('openai:broken');
  const { text } = await writtenBy(writer, shopTask({ model: 'anthropic:plain' }));
  expect(text).toBe(says.plain);
});

test("skips the workspace's own model if its provider is not configured", async () => {
  const { writer, logged } = await open('openai:plain');
  const { text } = await writtenBy(writer, shopTask({ model: 'mistral:small' }));
  expect(text).toBe(says.plain);
  expect(logged.join()).toContain('mistral:small');
});

describe.each(['openai', 'anthropic'])('if a model of %s fails', (dialect) => {
  const faults = ['limited', 'broken', 'locked', 'garbled', 'cut-at-once'];

  test.each(faults)('the next one answers (%s)', async (fault) => {
    const { writer } = await open(`${dialect}:${fault}, openai:plain`);
    expect(await writtenBy(writer, shopTask())).toMatchObject({ text: says.plain, isGrounded: true });
    expect((await writtenBy(writer, shopTask({ streamed: false }))).text).toBe(says.plain);
  });

  test.each(faults)('and it is the only one, the caller gets an error (%s)', async (fault) => {
    const { writer } = await open(`${dialect}:${fault}`);
    await expect(writtenBy(writer, shopTask())).rejects.toMatchObject({ code: 'model_provider_error' });
  });

  test('the API key is never logged', async () => {
    const { writer, logged } = await open(`${dialect}:locked, openai:plain`);
    await writtenBy(writer, shopTask());
    expect(logged.join()).toContain('check LLM_MODELS');
    expect(logged.join()).not.toContain('the-secret-key');
  });

  test('no other model continues after output was shown', async () => {
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

test('abandons a silent model for the next one', async () => {
  const silent = await startSilentProvider();
  const { writer } = await open('openai-compatible:silent, openai:plain', {
    patienceMs: 3_000,
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  expect((await writtenBy(writer, shopTask())).text).toBe(says.plain);
  await silent.left;
});

test('does not abandon a model that is known to think for the next one', async () => {
  const silent = await startSilentProvider();
  const { writer } = await open('openai-compatible:o3, openai:plain', {
    patienceMs: 50,
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  const request = new AbortController();
  const end = new Interruption('timeout');
  setTimeout(() => request.abort(end), 300);
  await expect(writtenBy(writer, shopTask({ signal: request.signal }))).rejects.toBe(end);
});

test.each([
  ['thinker', 'strict', true],
  ['thinker', 'fallback', true],
  ['thinker', 'fallback', false],
  ['deepseek-r1', 'fallback', true],
  ['deepseek-r1', 'fallback', false],
] as const)('the thoughts of %s are not shown (%s, streamed: %s)', async (model, strictness, streamed) => {
  for (const dialect of ['openai', 'anthropic']) {
    const { writer } = await open(`${dialect}:${model}`);
    const { text } = await writtenBy(writer, shopTask({ strictness, streamed }));
    expect(text).toBe(says.plain);
  }
});

test('reports silence of the only model as a time-out, and logs the time limit', async () => {
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
  'waits for the last model until the request ends, counts that as a failure and logs it (streamed: %s)',
  async (streamed) => {
    const silent = await startSilentProvider();
    const { writer, logged } = await open('openai-compatible:silent', {
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
    expect(logged.join()).toContain('"model":"openai-compatible:silent","failure":"timeout"');
    await expect(writtenBy(writer, shopTask({ streamed }))).rejects.toMatchObject({ code: 'provider_down' });
  },
);

test.each([
  ['both return errors', 'openai:broken, anthropic:broken'],
  ['a wrong key and an error', 'openai:locked, openai:broken'],
  ['one is silent and one returns an error', 'openai-compatible:silent, openai:broken'],
])('fails with provider_down if two models fail: %s', async (_what, models) => {
  const silent = await startSilentProvider();
  const { writer } = await open(models, {
    patienceMs: 500,
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  await expect(writtenBy(writer, shopTask())).rejects.toMatchObject({ code: 'provider_down', status: 503 });
});

test('logs silence within an answer as such', async () => {
  const silent = await startSilentProvider(['Parcels', ' arrive']);
  const { writer, logged } = await open('openai-compatible:silent', {
    patienceMs: 1_000,
    environment: { OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl },
  });
  await expect(writtenBy(writer, shopTask())).rejects.toThrow();
  expect(logged.join()).toContain('"reason":"no further output for 1 s"');
});

test('fails if no provider is reachable', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const { writer } = await open('openai:a, anthropic:b', {
    environment: { OPENAI_BASE_URL: `${baseUrl}/v1`, ANTHROPIC_BASE_URL: baseUrl },
  });
  await expect(writtenBy(writer, shopTask())).rejects.toMatchObject({ code: 'provider_down', status: 503 });
});

test('does not call a provider before its Retry-After has passed', async () => {
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

test.each([true, false])(
  'closes the connection if the reader disconnects (streamed: %s)',
  async (streamed) => {
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
  },
);

test.each([
  ['a.', 'strict'],
  ['a.', 'fallback'],
  ['No parcel knows. ', 'strict'],
] as const)('reads at most twice what is shown of endless output of %j (%s)', async (words, strictness) => {
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
});

test('limits endless output that is not streamed too', async () => {
  provider.mock.on({ model: 'endless' }, { content: 'a.'.repeat(50_000) });
  const { writer } = await open('openai:endless');
  const { text, isGrounded } = await writtenBy(writer, shopTask({ streamed: false, strictness: 'fallback' }));
  expect(text.length).toBeLessThanOrEqual(8_000);
  expect(isGrounded).toBe(false);
});
