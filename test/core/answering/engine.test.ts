import { beforeAll, describe, expect, test } from 'vitest';
import type { AnswerListener } from '../../../core/answering/answer.ts';
import { answerQuestion } from '../../../core/answering/engine.ts';
import type { Question } from '../../../core/answering/question.ts';
import { AnswerDraft } from '../../../core/answering/writing/answer-draft.ts';
import { AppError } from '../../../core/base/errors.ts';
import { Interruption } from '../../../core/contract/answer.ts';
import type { AnswerDelta, AnswerWriter, WritingTask } from '../../../core/contract/answer-writer.ts';
import { skillSet } from '../../helpers/models/skill-set.ts';
import { openTestDatabase } from '../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../helpers/stores/knowledge/knowledge-base.ts';

const database = await openTestDatabase('embedded');
const base = new KnowledgeBase(database);
const question: Question = {
  workspaceId: await base.workspace(),
  workspaceName: 'Test',
  text: 'How many working days until parcels arrive?',
  earlierTurns: [],
  overheard: [],
  summary: null,
  topK: 5,
  strictness: 'strict',
  temperature: null,
  model: null,
  audience: [],
  documentIds: null,
  fallbackMessage: 'Nobody knows.',
  quotesAt: [],
  searches: true,
  skills: skillSet(),
  tiers: { answer: 0.4, maybe: 0.25 },
  correction: null,
};

beforeAll(async () => {
  await base.add(question.workspaceId, 'Parcels arrive within three working days.', { title: 'Delivery' });
  await base.add(question.workspaceId, 'On islands, parcels arrive within five working days.');
});

/** Yields the given deltas, and records the tasks. */
function writerOf(...deltas: readonly AnswerDelta[]) {
  const tasks: WritingTask[] = [];
  const writer: AnswerWriter = {
    async *write(task) {
      tasks.push(task);
      yield* deltas;
    },
  };
  return { writer, tasks };
}

function answer(writer: AnswerWriter | null, asked: Partial<Question> = {}, listener?: AnswerListener) {
  const draft = new AnswerDraft({ signal: new AbortController().signal, listener });
  const dependencies = { ...base.dependencies, writer, complete: null };
  return answerQuestion(dependencies, { ...question, ...asked }, draft);
}

describe('a writer', () => {
  test('receives the question with the passages found, best first', async () => {
    const earlierTurns = [{ question: 'Hello?', answer: 'Hello.' }];
    const { writer, tasks } = writerOf({ text: 'Three.' });
    await answer(writer, { earlierTurns });
    expect(tasks).toMatchObject([{ question: question.text, earlierTurns }]);
    const { passages = [] } = tasks[0] ?? {};
    expect(passages.map(({ title }) => title)).toContain('Delivery');
    expect(passages.map(({ score }) => score)).toEqual(
      passages.map(({ score }) => score).toSorted((one, other) => other - one),
    );
  });

  test('streams the answer in pieces, and its tokens are added up', async () => {
    const { writer } = writerOf(
      { text: 'Thr', tokensUsed: 3 },
      { text: '' },
      { text: 'ee.' },
      { text: '', tokensUsed: 4 },
    );
    const heard: string[] = [];
    const listener = { stage: () => {}, token: (text: string) => void heard.push(text) };
    expect(await answer(writer, {}, listener)).toMatchObject({ text: 'Three.', tokensUsed: 7 });
    expect(heard).toEqual(['Thr', 'ee.']);
  });

  test('determines the sources by the passages it cites', async () => {
    const { writer, tasks } = writerOf({ text: 'Three.' });
    expect((await answer(writer)).sources.length).toBeGreaterThan(1);
    const cited = tasks[0]?.passages.at(-1)?.chunkId ?? '';
    const { sources } = await answer(writerOf({ text: 'Three.', chunkIds: [cited] }).writer);
    expect(sources.map(({ chunkId }) => chunkId)).toEqual([cited]);
  });

  test('that writes nothing has found no answer', async () => {
    expect(await answer(writerOf({ text: '', tokensUsed: 9 }).writer)).toMatchObject({
      text: 'Nobody knows.',
      confidence: 'low',
      tokensUsed: 9,
    });
  });

  test('reads passages that are near although their score is below the answer threshold', async () => {
    const near = { text: 'Do parcels arrive on the moon by rocket?' };
    expect(await answer(null, near)).toMatchObject({ confidence: 'low' });
    const { writer, tasks } = writerOf({ text: 'Three.', chunkIds: ['1'] });
    expect(await answer(writer, near)).toMatchObject({ text: 'Three.', confidence: 'high' });
    expect(tasks[0]?.passages.length).toBeGreaterThan(0);
  });

  test.each([
    ['high if passages support all that it wrote', {}, 'high'],
    ['medium if sentences were left out', { trimmed: true }, 'medium'],
    ['low if the passages support nothing', { ungrounded: true }, 'low'],
  ] as const)('determines the confidence: %s', async (_, delta, confidence) => {
    const { writer } = writerOf({ text: 'Three.', chunkIds: ['1'], ...delta });
    expect((await answer(writer)).confidence).toBe(confidence);
  });

  test('judges passages that are not near, and is not called if there is none', async () => {
    const { writer, tasks } = writerOf({ text: '' });
    const far = { text: 'Who won the cup in 1954?' };
    expect((await answer(writer, far)).text).toBe('Nobody knows.');
    expect(tasks).toHaveLength(1);
    const empty = { ...far, workspaceId: await base.workspace() };
    expect((await answer(writer, empty)).text).toBe('Nobody knows.');
    expect(tasks).toHaveLength(1);
  });

  test('has citations at their places in the answer, as far as their passages are sources', async () => {
    const text = 'Three [days](https://evil.example/). Or more.';
    const cited = (...chunkIds: string[]) => ({ start: 0, end: text.indexOf(' Or'), chunkIds });
    const { writer: first, tasks } = writerOf({ text });
    await answer(first);
    const id = tasks[0]?.passages[0]?.chunkId ?? '';
    const { writer } = writerOf({ text, chunkIds: [id], citations: [cited(id, 'finding:x'), cited('x')] });
    const { text: shown, citations } = await answer(writer);
    expect(citations).toEqual([{ start: 0, end: 'Three days.'.length, chunkIds: [id] }]);
    expect(shown).toBe('Three days. Or more.');
  });
});

describe('a writer whose models all fail', () => {
  const brokenAfter = (...deltas: readonly AnswerDelta[]): AnswerWriter => ({
    async *write() {
      yield* deltas;
      throw new AppError('provider_down');
    },
  });
  const down = { code: 'provider_down' };

  test('fails unless quotes are allowed; then the documents’ sentences are the answer, with their sources', async () => {
    await expect(answer(brokenAfter())).rejects.toMatchObject(down);
    await expect(answer(brokenAfter(), { quotesAt: ['upstream_timeout'] })).rejects.toMatchObject(down);
    const [quoted, plain] = await Promise.all([
      answer(brokenAfter(), { quotesAt: ['provider_down'] }),
      answer(null),
    ]);
    expect(quoted).toEqual(plain);
    expect(quoted.text).toContain('three working days');
  });

  test('fails despite that if the documents have no answer or part of one was shown', async () => {
    const asked = { quotesAt: ['provider_down'], strictness: 'fallback' } as const;
    await expect(answer(brokenAfter(), { ...asked, text: 'Who won the cup in 1954?' })).rejects.toMatchObject(
      down,
    );
    await expect(answer(brokenAfter({ text: 'Thr' }), asked)).rejects.toMatchObject(down);
  });
});

test('without a writer, streams quotes from the documents as the answer', async () => {
  const heard: string[] = [];
  const listener = { stage: () => {}, token: (text: string) => void heard.push(text) };
  const { text } = await answer(null, {}, listener);
  expect(text).toContain('three working days');
  expect(heard.join('')).toBe(text);
  expect(heard.length).toBeGreaterThan(3);
});

test.each(['understanding', 'searching', 'reading', 'writing'])(
  'stops if it is aborted while %s',
  async (last) => {
    const controller = new AbortController();
    const heard: string[] = [];
    const draft = new AnswerDraft({
      signal: controller.signal,
      listener: {
        stage(stage) {
          heard.push(stage);
          if (stage === last) controller.abort(new Interruption('cancelled'));
        },
        token: (text) => void heard.push(text),
      },
    });
    const dependencies = { ...base.dependencies, writer: null, complete: null };
    await expect(answerQuestion(dependencies, question, draft)).rejects.toBeInstanceOf(Interruption);
    expect(heard.at(-1)).toBe(last);
    expect(draft.conclude().text).toBe('');
  },
);

describe('several questions in one message', () => {
  const two = 'How many working days until parcels arrive? Who won the cup in 1954?';
  const missing = '**Who won the cup in 1954?**\nI found no answer to this in the documents I have.';

  test('without a model, are answered each below its own line, and the one without an answer is named', async () => {
    const tiers = { answer: 0.4, maybe: 0.4 };
    const { text, confidence, sources } = await answer(null, { text: two, tiers });
    expect(text).toMatch(/^\*\*How many working days until parcels arrive\?\*\*\n.*three working days/u);
    expect(text.endsWith(`\n\n${missing}`)).toBe(true);
    expect(confidence).not.toBe('low');
    expect(sources.length).toBeGreaterThan(0);
  });

  test('get the fallback message once if none is answered', async () => {
    const asked = { text: 'Who won the cup in 1954? What is the capital of Mongolia?' };
    expect(await answer(null, asked)).toMatchObject({ text: 'Nobody knows.', confidence: 'low' });
  });

  test('are named to the writer, and the one that it leaves unanswered is named to the visitor', async () => {
    const { writer, tasks } = writerOf({ text: 'Three days.', chunkIds: ['1'], answeredParts: [0] });
    expect((await answer(writer, { text: two })).text).toBe(`Three days.\n\n${missing}`);
    expect(tasks).toMatchObject([
      { parts: ['How many working days until parcels arrive?', 'Who won the cup in 1954?'] },
    ]);
  });
});
