import { describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import type { FakeMessage } from '../../../helpers/platforms/fake/channel.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

let last = 0;
const event = (chat: string, more: Partial<FakeMessage>): FakeMessage => {
  last += 1;
  return { id: `e${last}`, chat, ...more };
};

describe.each(testEngines)('channel feedback on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const writer: AnswerWriter = {
    async *write({ question }) {
      yield { text: `You asked for ${question}`.padEnd(100, '.') };
    },
  };
  const pipeline = await openTestPipeline({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { platform, receive, runtime, workspace } = pipeline;
  await pipeline.start();
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const judgements = async () => {
    const { rows } = await runtime.database.pool.query(
      `select content, feedback, feedback_comment from message where feedback_at is not null order by content`,
    );
    return rows;
  };
  const handled = () =>
    settled(async () => {
      const { rows } = await runtime.database.pool.query(
        'select event_id, failure from inbound_event where handled_at is null',
      );
      expect(rows).toEqual([]);
    });
  /** Returns the platform's ids of the parts of an answer. */
  const answered = async (chat: string) => {
    const before = platform.sent.length;
    await receive(event(chat, { text: chat }));
    await settled(() => expect(platform.sent).toHaveLength(before + 2));
    return [`m${before + 1}`, `m${before + 2}`];
  };

  test('is stored with the answer of the rated part; a comment is added, and the latest rating counts', async () => {
    const { webhook } = await runtime.webhooks.create(workspace.id, {
      url: 'https://hooks.example/',
      events: ['message.feedback'],
    });
    const [first = '', second = ''] = await answered('a');
    const content = 'You asked for a'.padEnd(100, '.');
    await receive(event('a', { feedback: { on: first, value: 'down' } }));
    await receive(event('a', { feedback: { on: second, value: 'down', comment: 'Too short' } }));
    const again = event('a', { feedback: { on: second, value: 'down' } });
    await receive(again);
    await receive(again);
    await handled();
    expect(await judgements()).toEqual([{ content, feedback: 'down', feedback_comment: 'Too short' }]);
    await receive(event('a', { feedback: { on: first, value: 'up' } }));
    await receive(event('a', { feedback: { on: first, value: null } }));
    await handled();
    expect(await judgements()).toEqual([{ content, feedback: null, feedback_comment: null }]);
    const { items } = await runtime.webhooks.deliveries(workspace.id, webhook.id, {
      limit: 10,
      cursor: undefined,
    });
    expect(items).toHaveLength(4);
  });

  test('without a message id applies to the last answer of the conversation', async () => {
    await answered('d');
    const before = await judgements();
    const sent = platform.sent.length;
    await receive(event('d', { text: 'more of d' }));
    await settled(() => expect(platform.sent).toHaveLength(sent + 2));
    await answered('other');
    await handled();
    await receive(event('d', { feedback: { on: null, value: 'up', comment: 'Fine' } }));
    await handled();
    const content = 'You asked for more of d'.padEnd(100, '.');
    expect(await judgements()).toEqual(
      [...before, { content, feedback: 'up', feedback_comment: 'Fine' }].toSorted((one, other) =>
        one.content < other.content ? -1 : 1,
      ),
    );
    await receive(event('nobody', { feedback: { on: null, value: 'up' } }));
    await handled();
    expect(await judgements()).toHaveLength(before.length + 1);
  });

  test('for an unknown message is ignored, and later events are handled', async () => {
    const before = await judgements();
    await receive(event('b', { feedback: { on: 'm999', value: 'up' } }));
    await answered('b');
    await handled();
    expect(await judgements()).toEqual(before);
  });

  test("for an agent's message is ignored", async () => {
    await answered('c');
    const { id } = await runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('session_id', 'like', '%:c')
      .executeTakeFirstOrThrow();
    await runtime.database.pool.query(
      `update message set role = 'agent' where conversation_id = $1 and role = 'assistant'`,
      [id],
    );
    const before = await judgements();
    await receive(event('c', { feedback: { on: `m${platform.sent.length}`, value: 'up' } }));
    await handled();
    expect(await judgements()).toEqual(before);
  });
});
