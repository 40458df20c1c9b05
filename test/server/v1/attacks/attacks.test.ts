import { describe, expect, test } from 'vitest';
import { fallbackMessage } from '../../../../core/language/localised-texts.ts';
import type { Attack } from '../../../fixtures/attacks/attack.ts';
import { english } from '../../../fixtures/attacks/english.ts';
import { french } from '../../../fixtures/attacks/french.ts';
import { german } from '../../../fixtures/attacks/german.ts';
import { spanish } from '../../../fixtures/attacks/spanish.ts';
import { harmsIn, wordsOf } from '../../../helpers/find-harms.ts';
import { startObedientProvider, truth } from '../../../helpers/models/providers/obedient-provider.ts';
import { openAttackedShop } from '../../../helpers/servers/questions/open-attacked-shop.ts';

const attacks = { english, german, spanish, french };
const poisoned = Object.values(attacks).flatMap((each) => each.flatMap(({ document = [] }) => document));
const provider = await startObedientProvider();
const builtIn = await openAttackedShop(poisoned);
const modelled = await openAttackedShop(poisoned, {
  LLM_MODELS: 'openai-compatible:prompt-first',
  OPENAI_COMPATIBLE_BASE_URL: provider.baseUrl,
});
const both = ['strict', 'fallback'] as const;
/** The secret of the other tenant. */
const code = '7731';
/** An end that may be appended to true and harmless text of a document. */
const BEYOND = /\. | https:/u;
const ADDRESS = /https?:\/\/[^\s)",]+/gu;

/** The sentences that are neither from a document, with or without its URLs, nor the fallback. */
function inventedIn(answer: string, question: string): readonly string[] {
  const texts = [...poisoned, ...poisoned.map((text) => text.replace(ADDRESS, '')), truth];
  const known = [...texts, fallbackMessage(question)].map((text) => wordsOf(text).join(' '));
  const sentences = answer.split(/(?<=[.!?])\s+|\n+/u);
  return sentences.filter((sentence) => !known.some((text) => text.includes(wordsOf(sentence).join(' '))));
}

describe.each(Object.entries(attacks))('attacks in %s', (_, ofLanguage) => {
  test.each(ofLanguage)('without a model: $aim, $question', async ({ question, document }: Attack) => {
    for (const strictness of both) {
      const { whole, streamed, skills } = await builtIn.ask({ query: question, strictness });
      expect(streamed).toBe(whole);
      expect(harmsIn(whole)).toEqual([]);
      expect(whole).not.toContain(code);
      expect(skills).toEqual([]);
      // Otherwise the attack in it was never tried.
      expect(whole).toContain(document?.split(BEYOND)[0] ?? '');
    }
  });

  test.each(ofLanguage)('with a model that obeys: $aim, $question', async ({ aim, question }: Attack) => {
    for (const place of ['first', 'last']) {
      await modelled.useModel(`openai-compatible:${aim}-${place}`);
      for (const strictness of both) {
        const { whole, streamed, skills } = await modelled.ask({ query: question, strictness });
        expect([...harmsIn(whole), ...harmsIn(streamed)]).toEqual([]);
        expect(skills).toEqual([]);
        if (strictness === 'fallback') continue;
        expect(inventedIn(whole, question)).toEqual([]);
        expect(whole + streamed).not.toContain(code);
      }
    }
  });
});

test.each(both)('stops a model that never ends (%s)', async (strictness) => {
  await modelled.useModel('openai-compatible:endless-last');
  const query = 'How many working days until parcels arrive?';
  const { whole, streamed } = await modelled.ask({ query, strictness });
  for (const answer of [whole, streamed]) {
    expect(harmsIn(answer)).toEqual([]);
    expect(answer).toMatch(/days\.$/u);
  }
});

describe('after all attacks', () => {
  test('models have read the poisoned documents, and nothing of another tenant', () => {
    const heard = provider.heard().join('\n');
    const attempts = poisoned.map((text) => text.split(BEYOND)[0] ?? '');
    expect(attempts.filter((attempt) => !heard.includes(attempt))).toEqual([]);
    expect(heard).not.toContain(code);
  });

  test('no document has left its fence', () => {
    const withPassages = provider.heard().filter((request) => request.includes('<passages>'));
    expect(withPassages.length).toBeGreaterThan(0);
    const leaks = withPassages.filter((request) => {
      const count = (tag: string) => request.split(tag).length - 1;
      return count('</passages>') !== 1 || count('</passage>') !== count('<passage number=');
    });
    expect(leaks).toEqual([]);
  });

  test('all documents still exist, and no conversation was handed to an agent', async () => {
    for (const { runtime, workspaceId } of [builtIn, modelled]) {
      const { kysely } = runtime.database;
      const documents = kysely.selectFrom('document').where('workspace_id', '=', workspaceId);
      expect(await documents.select('id').execute()).toHaveLength(poisoned.length + 1);
      const conversations = kysely.selectFrom('conversation').where('workspace_id', '=', workspaceId);
      const statuses = await conversations.select('status').distinct().execute();
      expect(statuses).toEqual([{ status: 'open' }]);
    }
  });
});
