import { vi } from 'vitest';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { createDatabase, type testEngines } from './databases/test-databases.ts';
import { openTestPipeline } from './open-test-pipeline.ts';

const writer: AnswerWriter = {
  async *write() {
    yield { text: 'Noted.' };
  },
};

/** A pipeline at work that says one thing to everybody: for tests of how that is sent. */
export async function openNotingPipeline(
  engine: (typeof testEngines)[number],
  altered: Partial<Runtime> = {},
) {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const pipeline = await openTestPipeline({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer, ...altered }),
  });
  await pipeline.start();
  return {
    ...pipeline,
    /** The first message of each chat. */
    ask: (...chats: readonly string[]) =>
      pipeline.receive(...chats.map((chat) => ({ id: chat, chat, text: 'Is it open?' }))),
    settled: (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 }),
  };
}
