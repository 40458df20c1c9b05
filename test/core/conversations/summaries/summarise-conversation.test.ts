import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { Turn } from '../../../../core/conversations/messages/turn.ts';
import type { CompletionRequest } from '../../../../core/models/complete.ts';
import { summariseConversation } from '../../../../workers/summaries/summarise-conversation.ts';
import { plainTurn } from '../../../helpers/models/plain-turn.ts';
import { testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../../helpers/stores/inbox/open-test-inbox.ts';

const { signal } = new AbortController();

describe.each(testEngines)('a summary on %s', async (engine) => {
  const { alter, database, say, workspaces, workspace } = await openTestInbox(engine);
  const asked: CompletionRequest[] = [];

  const summarise = (id: string, says: () => string | Promise<string>) =>
    summariseConversation(
      {
        database: database.kysely,
        async complete(request) {
          asked.push(request);
          return { text: await says(), toolCalls: [], tokensUsed: 0 };
        },
      },
      id,
      signal,
    );
  const spoken = async (turns: number, change: (index: number) => Partial<Turn> = () => ({})) => {
    let conversationId: string | null = null;
    for (let index = 0; index < turns; index += 1) {
      const question = `Question ${index}?`;
      conversationId = await say({ conversationId, question, ...change(index) });
    }
    asked.length = 0;
    return conversationId ?? '';
  };
  const memoryOf = (id: string) =>
    database.kysely
      .selectFrom('conversation')
      .select(['summary', 'summary_until'])
      .where('id', '=', id)
      .executeTakeFirst();
  const promptOf = (request: CompletionRequest | undefined) => request?.messages.at(-1)?.text ?? '';

  test('covers the messages that are no longer remembered verbatim, once', async () => {
    const id = await spoken(8);
    expect(await summarise(id, () => 'The visitor asked.')).toBe(true);
    expect(await memoryOf(id)).toEqual({ summary: 'The visitor asked.', summary_until: 8 });
    expect(promptOf(asked[0]).match(/Question \d/gu)).toEqual([0, 1, 2, 3].map((one) => `Question ${one}`));
    expect(await summarise(id, () => 'Again.')).toBe(false);
    expect(asked).toHaveLength(1);
  });

  test('waits until there are enough messages', async () => {
    const id = await spoken(7);
    expect(await summarise(id, () => 'Too early.')).toBe(false);
    expect(asked).toEqual([]);
  });

  test('is written again from the last one and the messages since', async () => {
    const id = await spoken(12);
    await alter(id, { summary: 'It began with a spade.', summary_until: 8 });
    await summarise(id, () => 'A spade, and more.');
    expect(promptOf(asked[0])).toContain('<summary>\nIt began with a spade.\n</summary>');
    expect(promptOf(asked[0]).match(/Question \d/gu)).toEqual([4, 5, 6, 7].map((one) => `Question ${one}`));
    expect(await memoryOf(id)).toEqual({ summary: 'A spade, and more.', summary_until: 16 });
  });

  test('is stored once if two workers write it concurrently', async () => {
    const id = await spoken(8);
    const both = Promise.withResolvers<void>();
    const write = (text: string) =>
      summarise(id, async () => {
        if (asked.length === 2) both.resolve();
        await both.promise;
        return text;
      });
    const outcomes = await Promise.all([write('By one.'), write('By the other.')]);
    expect(outcomes.toSorted()).toEqual([false, true]);
    const summary = outcomes[0] ? 'By one.' : 'By the other.';
    expect(await memoryOf(id)).toEqual({ summary, summary_until: 8 });
  });

  test('covers everything before a resolution, however short', async () => {
    const id = await spoken(2);
    await alter(id, { status: 'resolved' });
    await say({ conversationId: id, question: 'Something new?' });
    await summarise(id, () => 'The visitor asked.');
    expect(promptOf(asked[0])).toContain('Question 1?');
    expect(promptOf(asked[0])).not.toContain('Something new?');
    expect(await memoryOf(id)).toMatchObject({ summary_until: 4 });
  });

  test('covers very long messages in several batches, each message whole', async () => {
    const { answer } = plainTurn('');
    const long = (index: number) => `${index} ${'word '.repeat(1_600)}end`;
    const id = await spoken(12, (index) => ({ answer: { ...answer, text: long(index) } }));
    const until: unknown[] = [];
    while (await summarise(id, () => 'Words.')) until.push((await memoryOf(id))?.summary_until);
    // The last unsummarised messages are few enough to stay verbatim for now.
    expect(until).toEqual([2, 4, 6, 8, 10]);
    const read = asked.map(promptOf).join('\n');
    for (const index of [0, 1, 2, 3, 4]) expect(read).toContain(long(index));
  });

  test.each([
    ['fails', () => Promise.reject(new AppError('provider_down'))],
    ['invents facts', () => 'It costs 99 euros.'],
  ])('stays unchanged if the model %s', async (_, says) => {
    const id = await spoken(8);
    await expect(summarise(id, says)).rejects.toBeInstanceOf(AppError);
    expect(await memoryOf(id)).toEqual({ summary: null, summary_until: 0 });
  });

  test('uses the workspace’s model, and is deleted with its conversation', async () => {
    await workspaces.update(workspace.id, { settings: { model: 'openai:own' } });
    const id = await spoken(8);
    await summarise(id, () => 'The visitor asked.');
    expect(asked[0]).toMatchObject({ model: 'openai:own' });
    await database.kysely.deleteFrom('conversation').where('id', '=', id).execute();
    expect(await summarise(id, () => 'Gone.')).toBe(false);
    expect(await memoryOf(id)).toBeUndefined();
  });
});
