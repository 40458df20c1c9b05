import { describe, expect, test } from 'vitest';
import { type Cluster, findCluster, joinCluster } from '../../../../core/evaluation/gaps/cluster.ts';
import { type AgentReply, orderReplies } from '../../../../core/evaluation/gaps/gap-draft.ts';
import { maskWords } from '../../../../core/evaluation/gaps/mask-words.ts';
import { embedForGaps } from '../../../../core/evaluation/gaps/question-vector.ts';
import { unavailableEmbedder } from '../../../../core/knowledge/embedding/embedder.ts';

const question = (vector: readonly number[], change: object = {}) => ({
  ...{ kind: 'nothing' as const, language: 'en', modelId: 0, vector },
  ...change,
});
const cluster = (id: string, mean: readonly number[]): Cluster => ({
  ...{ id, mean, kind: 'nothing', language: 'en', modelId: 0, count: 1 },
});

describe('a question', () => {
  test('joins the nearest cluster whose middle is near enough, and moves it', () => {
    const clusters = [cluster('far', [1, 0]), cluster('near', [0, 1])];
    const asked = question([0.6, 0.8]);
    const found = findCluster(clusters, asked, 0.6);
    expect(found?.id).toBe('near');
    if (found !== null) joinCluster(found, asked);
    expect(found).toMatchObject({ count: 2, mean: [0.3, 0.9] });
    expect(findCluster(clusters, question([-1, 0]), 0.6)).toBeNull();
  });

  test('is not compared with another language, kind or model', () => {
    const clusters = [cluster('one', [1, 0])];
    for (const change of [{ language: 'de' }, { kind: 'person' as const }, { modelId: 1 }])
      expect(findCluster(clusters, question([1, 0], change), 0.6)).toBeNull();
  });

  test('in a language that the model does not read is compared by its words', async () => {
    const vectorOf = (text: string) => embedForGaps(unavailableEmbedder, text, 'de');
    const [one, same, other] = await Promise.all(
      ['Kann ich auf Rechnung zahlen?', 'Auf Rechnung zahlen?', 'Wann öffnet der Laden?'].map(vectorOf),
    );
    const clusters = [{ ...cluster('one', one?.vector ?? []), modelId: -1 }];
    const near = (found: typeof one) =>
      findCluster(clusters, question(found?.vector ?? [], { modelId: -1 }), 0.6)?.id;
    expect([near(same), near(other)]).toEqual(['one', undefined]);
    expect(await vectorOf('?!')).toBeNull();
  });
});

describe('a draft', () => {
  test('begins with the reply that has most in common with the others', () => {
    const reply = (messageId: string, text: string): AgentReply => ({
      ...{ messageId, text, conversationId: 'conv_1', author: 'Ben', at: new Date(0) },
    });
    const replies = [
      reply('odd', 'One moment, I have a look.'),
      reply('one', 'You can pay by invoice from your second order on.'),
      reply('two', 'Invoices are possible from the second order on; you can pay within 14 days.'),
    ];
    expect(orderReplies(replies).at(-1)?.messageId).toBe('odd');
  });

  test('holds nothing of a visitor', () => {
    const customer = { name: 'Ann Lee', email: 'ann@lee.example', phone: '+49 170 1234567' };
    const text = 'Hi Ann, I wrote to ann@lee.example and called +49 170 1234567. Annual plans, Ann Lee!';
    expect(maskWords(text, customer)).toBe(
      'Hi [name], I wrote to [email] and called [phone]. Annual plans, [name]!',
    );
    expect(maskWords('My card is 4111 1111 1111 1111.', { name: 'a', email: null, phone: null })).toBe(
      'My card is [card].',
    );
  });
});
