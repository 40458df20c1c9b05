import { expect, test } from 'vitest';
import { answerQuestion } from '../../../../core/answering/engine.ts';
import { AnswerDraft } from '../../../../core/answering/writing/answer-draft.ts';
import { nameDisagreement } from '../../../../core/answering/writing/find-disagreement.ts';
import type { Source } from '../../../../core/contract/answer.ts';
import { checkNextDocument } from '../../../../core/knowledge/facts/check-document.ts';
import type { PassageConflict } from '../../../../core/knowledge/facts/fact-conflicts.ts';
import { skillSet } from '../../../helpers/models/skill-set.ts';
import { openTestDatabase } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const source = (chunkId: string, score = 0.9): Source => {
  return {
    documentId: 'doc_1',
    chunkId,
    title: 'Passes',
    url: null,
    headings: [],
    changedAt: null,
    chunk: 'The pass costs €5.',
    place: null,
    score,
  };
};

const conflict: PassageConflict = {
  shown: {
    ...{ documentId: 'doc_1', title: 'Passes', url: null, changedAt: new Date('2026-05-03T08:00:00Z') },
    ...{ chunkId: '1', text: 'The pass costs €5.', value: '5 EUR', mark: '€5' },
  },
  other: {
    ...{
      documentId: 'doc_2',
      title: 'Lake',
      url: 'https://lake.example/',
      changedAt: new Date('2025-01-01T08:00:00Z'),
    },
    ...{ chunkId: '2', text: 'The pass costs €6.', value: '6 EUR', mark: '€6', body: 'The pass costs €6.' },
  },
};

test('both sentences are named with titles and dates, and both pages are sources', () => {
  const named = nameDisagreement({ text: 'The pass costs €5.', sources: [source('1')] }, [conflict], 'en');
  expect(named.text).toBe(
    'Our pages disagree here: «The pass costs €5.» (Passes, May 3, 2026); «The pass costs €6.» (Lake, January 1, 2025).',
  );
  expect(named.sources.map(({ chunkId, title }) => [chunkId, title])).toEqual([
    ['1', 'Passes'],
    ['2', 'Lake'],
  ]);
});

test('the visitor reads it in their language', () => {
  const { text } = nameDisagreement({ text: 'The pass costs €5.', sources: [source('1')] }, [conflict], 'de');
  expect(text).toMatch(/^Unsere Seiten widersprechen sich hier: .* \(Passes, 3\. Mai 2026\); /);
});

test('a row is recognised by its number', () => {
  const row = { ...conflict, shown: { ...conflict.shown, text: 'Pass: Lake; Price: €5' } };
  const table = '| Pass | Price |\n| --- | --- |\n| Lake | €5 |';
  expect(nameDisagreement({ text: table, sources: [source('1')] }, [row], 'en').text).not.toBe('');
});

test('an answer that does not quote the sentence stays as it is', () => {
  const sources = [source('1')];
  const named = nameDisagreement({ text: 'Passes are sold at the gate.', sources }, [conflict], 'en');
  expect(named).toEqual({ text: '', sources });
});

test('a link of the other page to a foreign host is removed', () => {
  const other = {
    ...conflict.other,
    text: 'The pass costs [€6](https://evil.example/).',
    body: 'The pass costs €6.',
  };
  const { text } = nameDisagreement(
    { text: 'The pass costs €5.', sources: [source('1')] },
    [{ ...conflict, other }],
    'en',
  );
  expect(text).not.toContain('evil.example');
});

test('there are no more sources than the contract allows', () => {
  const sources = ['1', '3', '4', '5', '6'].map((id, index) => source(id, 0.9 - index / 10));
  const named = nameDisagreement({ text: 'The pass costs €5.', sources }, [conflict], 'en');
  expect(named.sources.map(({ chunkId }) => chunkId)).toEqual(['1', '2', '3', '4', '5']);
});

test('an answer that quotes one of two pages says what the other says, and rests on both', async () => {
  const database = await openTestDatabase('embedded');
  const base = new KnowledgeBase(database);
  const workspaceId = await base.workspace();
  await base.add(workspaceId, 'The annual pass for the lake costs €5.', { title: 'Passes' });
  await base.add(workspaceId, 'The annual pass for the lake costs €6.', { title: 'Lake' });
  const answer = () =>
    answerQuestion(
      { ...base.dependencies, writer: null, complete: null },
      {
        ...{ workspaceId, workspaceName: 'Test', text: 'What does the annual pass for the lake cost?' },
        ...{
          earlierTurns: [],
          overheard: [],
          summary: null,
          tiers: { answer: 0.4, maybe: 0.25 },
          correction: null,
          topK: 5,
          strictness: 'strict',
          temperature: null,
        },
        ...{
          model: null,
          audience: [],
          documentIds: null,
          fallbackMessage: null,
          quotesAt: [],
          searches: true,
        },
        skills: skillSet(),
      },
      new AnswerDraft({ signal: new AbortController().signal }),
    );
  expect((await answer()).text).not.toContain('disagree');
  const clock = { now: () => new Date('2026-11-27T12:00:00Z') };
  while ((await checkNextDocument({ database: database.kysely, clock })) !== null);
  const { text, sources } = await answer();
  const [quoted, paragraph] = text.split('\n\nOur pages disagree here: ');
  expect(quoted).toContain('The annual pass for the lake costs €');
  expect(paragraph).toContain('«The annual pass for the lake costs €5.» (Passes, ');
  expect(paragraph).toContain('«The annual pass for the lake costs €6.» (Lake, ');
  expect(sources.map(({ title }) => title).sort()).toEqual(['Lake', 'Passes']);
});
