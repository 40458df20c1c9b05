import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { FakeMessage } from '../../helpers/platforms/fake/channel.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const endSchema = z.object({ msg: z.string(), event: z.string().optional() }).loose();

describe.each(testEngines)('the one line of a message at its end, on %s,', async (engine) => {
  const lines: string[] = [];
  const writer: AnswerWriter = {
    async *write({ question }) {
      yield { text: `You asked: ${question}` };
    },
  };
  const pipeline = await openTestPipeline({
    environment: {
      LOG_LEVEL: 'info',
      ...(engine === 'postgres' && { DATABASE_URL: await createDatabase() }),
    },
    logged: { write: (line) => void lines.push(line) },
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { platform, channel, workspace } = pipeline;
  await pipeline.start();
  const endsOf = (event: string) =>
    lines
      .map((line) => endSchema.parse(JSON.parse(line)))
      .filter((line) => line.msg === 'message ended' && line.event === event);
  const endOf = async (message: FakeMessage) => {
    await pipeline.receive(message);
    await vi.waitFor(() => expect(endsOf(message.id)).not.toEqual([]), { timeout: 20_000, interval: 20 });
    return endsOf(message.id);
  };

  beforeEach(() => {
    platform.sending = async () => {};
    platform.budgetsOf = () => [];
  });

  test('names its ids, its outcome, its times and its attempts, and no contents', async () => {
    const ends = await endOf({ id: 'a1', chat: 'a', text: 'A red sock' });
    expect(ends).toMatchObject([
      {
        ...{ level: 'info', event: 'a1', kind: 'fake', channel: channel.id, workspace: workspace.id },
        ...{ message: expect.stringMatching(/^msg_/), conversation: expect.stringMatching(/^conv_/) },
        ...{ outcome: 'answered', attempts: 1, parts: 1, partAttempts: 1 },
        ...{ waitMs: expect.any(Number), answerMs: expect.any(Number), sendMs: expect.any(Number) },
        totalMs: expect.any(Number),
      },
    ]);
    expect(lines.join()).not.toContain('red sock');
  });

  test('comes once for an answer in several parts, and counts them', async () => {
    const [end, ...others] = await endOf({ id: 'b1', chat: 'b', text: 'long '.repeat(40).trim() });
    expect(others).toEqual([]);
    expect(end?.parts).toBeGreaterThan(2);
  });

  test('is written by the worker that sends the last part, if that is another one', async () => {
    platform.budgetsOf = () => [{ key: 'paced', everyMs: 60, burst: 1 }];
    await endOf({ id: 'c1', chat: 'c', text: 'First' });
    expect(await endOf({ id: 'c2', chat: 'c', text: 'Second' })).toMatchObject([
      { outcome: 'answered', parts: 1, partAttempts: 1, attempts: 1, waitMs: expect.any(Number) },
    ]);
  });

  test.each<[string, Partial<FakeMessage>]>([
    ['unanswered', { parked: 'too many messages' }],
    ['handed_over', { command: 'human' }],
    ['for_agent', { text: 'Is anybody there?' }],
  ])('says %s', async (outcome, more) => {
    const id = `d-${outcome}`;
    const ends = await endOf({ id, chat: outcome === 'unanswered' ? 'parked' : 'person', text: '', ...more });
    expect(ends).toMatchObject([{ outcome, message: expect.stringMatching(/^msg_/) }]);
  });

  test('says that a platform refused a part for good', async () => {
    platform.sending = async () => {
      throw new ConnectorError('no such chat', { advice: { retry: 'never' } });
    };
    expect(await endOf({ id: 'e1', chat: 'e', text: 'Hello?' })).toMatchObject([
      { outcome: 'undelivered', parts: 1, partAttempts: 1 },
    ]);
  });

  test('is not written for an event that is no message', async () => {
    await pipeline.receive({ id: 'f1', chat: 'f', event: 'resolved' });
    await endOf({ id: 'f2', chat: 'f', text: 'And now?' });
    expect(endsOf('f1')).toEqual([]);
  });
});
