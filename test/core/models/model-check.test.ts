import { expect, test } from 'vitest';
import { openModels } from '../../../core/answering/open-models.ts';
import { readConfig } from '../../../core/config/config.ts';
import { startMediaServer } from '../../helpers/models/providers/media-server.ts';
import { type Reply, startStrictServer } from '../../helpers/models/providers/strict-server.ts';

/** Opens models on a server that replies as given. */
async function open(models: string, reply: (model: unknown) => Reply) {
  const { asked, url } = await startStrictServer(({ model }) => reply(model));
  const lines: object[] = [];
  const write = (facts: unknown, text?: unknown) => void lines.push({ ...Object(facts), text });
  const counted: string[] = [];
  const environment = {
    OPENAI_COMPATIBLE_BASE_URL_LAB: url,
    OPENAI_COMPATIBLE_API_KEY_LAB: 'the-secret-key',
  };
  const opened = await openModels({
    config: readConfig({ LLM_MODELS: models, ...environment }),
    log: { warn: write, error: write },
    clock: { now: () => new Date() },
    count: (model, outcome) => void counted.push(`${model} ${outcome}`),
  });
  return { ...opened, asked, lines, counted };
}

test('a model or key that does not work is logged with advice, without the key, and counted', async () => {
  const { checkModels, lines, counted } = await open('lab:good,lab:locked', (model) =>
    model === 'good' ? { content: 'OK' } : { refuses: 'no such key: the-secret-key', status: 401 },
  );
  expect((await checkModels()).map(({ model, failure }) => [model, failure?.kind])).toEqual([
    ['lab:good', undefined],
    ['lab:locked', 'misconfigured'],
  ]);
  expect(lines).toEqual([
    {
      model: 'lab:locked',
      failure: 'misconfigured',
      reason: '401 no such key: [redacted]',
      advice: expect.stringContaining('API key'),
      text: 'model check failed',
    },
  ]);
  expect(counted.toSorted()).toEqual(['lab:good answered', 'lab:locked misconfigured']);
});

test('a check sends each model one request, and no visitor waits for what it learns', async () => {
  const { checkModels, complete, asked } = await open('lab:small', () => ({ content: 'Secret.</think>OK' }));
  expect(await checkModels()).toEqual([{ model: 'lab:small', failure: null }]);
  expect(asked).toHaveLength(1);
  const { signal } = new AbortController();
  expect(await complete?.({ messages: [], model: null, signal })).toMatchObject({ text: 'OK' });
});

test('the models for recordings and pictures are checked with a second of silence and a blank page', async () => {
  const server = await startMediaServer();
  server.replies.description = 'OK';
  const checked = async () => {
    const { checkModels } = await openModels({
      config: readConfig(server.environment),
      log: { warn() {}, error() {} },
      clock: { now: () => new Date() },
    });
    return (await checkModels()).map(({ model, variable, failure }) => [model, variable, failure?.kind]);
  };
  expect(await checked()).toEqual([
    ['lab:whisper-1', 'TRANSCRIPTION_MODEL', undefined],
    ['lab:looker', 'VISION_MODEL', undefined],
  ]);
  expect(server.heard[0]?.bytes.subarray(0, 4).toString()).toBe('RIFF');
  server.replies.transcript = 401;
  expect(await checked()).toContainEqual(['lab:whisper-1', 'TRANSCRIPTION_MODEL', 'misconfigured']);
});

test('a model for recordings that hangs or fails is given up, logged without its key, and paused', async () => {
  const server = await startMediaServer();
  const lines: unknown[] = [];
  const counted: string[] = [];
  const { media } = await openModels({
    config: readConfig(server.environment),
    log: { warn: (facts: unknown, text?: unknown) => void lines.push([facts, text]), error() {} },
    clock: { now: () => new Date() },
    count: (model, outcome) => void counted.push(`${model} ${outcome}`),
  });
  const recording = { bytes: Buffer.from('a voice'), contentType: 'audio/mp4' };
  const hear = (timeoutMs: number) => media?.transcribe?.(recording, { timeoutMs });
  server.replies.transcript = { hangs: true };
  expect(await hear(50)).toBeNull();
  server.replies.transcript = 401;
  expect(await hear(5_000)).toBeNull();
  server.replies.transcript = 'Too late.';
  expect(await hear(5_000)).toBeNull();
  expect(server.heard.map(({ fileName }) => fileName)).toEqual(['recording.m4a', 'recording.m4a']);
  expect(counted).toEqual(['lab:whisper-1 timeout', 'lab:whisper-1 misconfigured']);
  expect(lines).toHaveLength(2);
  expect(JSON.stringify(lines)).toContain('reading an attachment failed');
  expect(JSON.stringify(lines)).not.toContain('the-secret-key');
});

test('without models there is nothing to check', async () => {
  const { checkModels } = await open('', () => ({ content: 'OK' }));
  expect(await checkModels()).toEqual([]);
});
