import { describe, expect, test } from 'vitest';
import { ask } from '../../../../core/answering/ask.ts';
import type { AskRequest } from '../../../../core/answering/ask-request.ts';
import { TraceRecorder } from '../../../../core/answering/trace/recorder.ts';
import { Interruption } from '../../../../core/contract/answer.ts';
import { humanSkill } from '../../../../core/contract/skill.ts';
import type { AnswerTrace } from '../../../../core/contract/trace/answer-trace.ts';
import { unpackTrace } from '../../../../core/contract/trace/stored-trace.ts';
import { startFakeProvider } from '../../../helpers/models/providers/fake-provider.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { plainRequest } from '../../../helpers/servers/questions/plain-request.ts';

const BOX = '# Returns\n\nYou can return a box within 30 days.';
const QUESTION = 'Within how many days can I return a box?';
const signal = new AbortController().signal;

/** Asks, and returns the trace that is stored with the answer. */
async function traceOf(
  { runtime }: Pick<Awaited<ReturnType<typeof openTestServer>>, 'runtime'>,
  request: AskRequest,
  options: Partial<Parameters<typeof ask>[2]> = {},
): Promise<AnswerTrace | null> {
  const { messageId } = await ask(runtime, request, { signal, ...options });
  const { trace } = await runtime.database.kysely
    .selectFrom('message')
    .select('trace')
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow();
  return unpackTrace(trace);
}

describe('the trace of an answer without a model', async () => {
  const server = await openTestServer();
  const workspace = await server.makeWorkspace();
  await server.addDocument(workspace.id, BOX);
  await server.addDocument(workspace.id, '# Delivery\n\nParcels to Norway take six working days.');
  const tracedFor = (question: string, more: Partial<AskRequest> = {}) =>
    traceOf(server, { ...plainRequest(workspace, question), ...more });

  test('tells the stages, the searched text, the passages with their evidence, and the limits', async () => {
    const trace = await tracedFor(QUESTION);
    expect(trace).toMatchObject({
      v: 1,
      path: 'quoted',
      question: { language: 'en', audience: [], verified: false, turns: 0, masked: false },
      readings: [{ text: QUESTION, part: 0 }],
      limits: { maybe: 0.3, answer: 0.4, high: 0.7 },
      settings: { strictness: 'strict', model: null, corrected: false },
      attempts: [],
      sentences: [],
    });
    expect(Object.keys(trace?.ms ?? {})).toEqual(['understanding', 'searching', 'reading', 'writing']);
    expect(trace?.passages[0]).toMatchObject({ use: 'used', score: expect.any(Number), coverage: 1 });
    expect(trace?.passages.slice(1).map(({ use }) => use)).not.toContain('used');
    expect(trace?.found).toBeGreaterThan(0);
  });

  test('says that an answer may be one, and that there is none', async () => {
    const cautious = { ...workspace, settings: { answer_from: 0.9, maybe_from: 0.05 } };
    const question = 'Could a box go back?';
    expect((await tracedFor(question, { workspace: cautious }))?.path).toBe('maybe');
    const none = await tracedFor('Who painted the Night Watch?');
    expect(none?.path).toBe('fallback');
    expect(none?.passages.every(({ use }) => use === 'below' || use === 'shown')).toBe(true);
  });

  test('names the skill, and what asked for it', async () => {
    const wanted = await tracedFor('I want to talk to a human');
    expect(wanted).toMatchObject({
      path: 'skill',
      skills: [{ name: humanSkill, by: 'words', outcome: 'replied' }],
      passages: [],
    });
    expect((await tracedFor('Hello!'))?.path).toBe('small_talk');
    const persistent = { ...workspace, settings: { escalate_after_fallbacks: 1 } };
    const given = await tracedFor('Who painted the Night Watch?', { workspace: persistent });
    expect(given).toMatchObject({ path: 'fallback', skills: [{ name: humanSkill, by: 'engine' }] });
  });

  test('is stored of a cancelled answer as far as it came', async () => {
    const leaving = new AbortController();
    const listener = {
      stage: (stage: string) => {
        if (stage === 'reading') leaving.abort(new Interruption('cancelled'));
      },
      token() {},
    };
    const trace = await traceOf(server, plainRequest(workspace, QUESTION), {
      signal: leaving.signal,
      listener,
    });
    expect(trace).toMatchObject({ path: 'cancelled', readings: [{ text: QUESTION }], passages: [] });
    expect(trace?.ms.writing).toBeUndefined();
  });

  test('masks what the question masks', async () => {
    const bank = { ...workspace, settings: { mask_secrets: true } };
    const trace = await tracedFor('Can I return the box paid with 4111 1111 1111 1111?', { workspace: bank });
    expect(trace?.question.masked).toBe(true);
    expect(JSON.stringify(trace)).not.toContain('4111');
  });

  test('is not made for a workspace that keeps none', async () => {
    expect(
      await tracedFor(QUESTION, { workspace: { ...workspace, settings: { trace_days: 0 } } }),
    ).toBeNull();
  });
});

describe('the trace of an answer of a model', async () => {
  const provider = await startFakeProvider({
    good: 'You can return a box within 30 days [1]. Returns are free on Mondays in Oslo.',
  });
  const open = async (models: string) => {
    const environment = { ...provider.environment, LLM_MODELS: models };
    const server = await openTestServer({ runtime: { environment } });
    const workspace = await server.makeWorkspace();
    await server.addDocument(workspace.id, BOX);
    return { server, workspace };
  };

  test('tells the verdicts of sentences, also of those that were dropped, and tokens', async () => {
    const { server, workspace } = await open('openai:good');
    const trace = await traceOf(server, plainRequest(workspace, QUESTION));
    expect(trace).toMatchObject({
      path: 'model',
      attempts: [{ for: 'answer', model: 'openai:good', outcome: 'ok' }],
    });
    expect(trace?.attempts[0]?.tokens).toBeGreaterThan(0);
    const [kept, other] = trace?.sentences ?? [];
    expect(kept).toMatchObject({ verdict: 'grounded', fate: 'kept', by: [trace?.passages[0]?.chunk] });
    expect(other).toMatchObject({ verdict: 'unsupported', text: expect.stringContaining('Oslo') });
    expect(other?.fate).not.toBe('kept');
    expect(trace?.passages[0]?.read).toBe(true);
  });

  test('names the model that failed before the one that answered', async () => {
    const { server, workspace } = await open('openai:limited,openai:good');
    const trace = await traceOf(server, plainRequest(workspace, QUESTION));
    expect(trace?.attempts.map(({ model, outcome }) => [model, outcome])).toEqual([
      ['openai:limited', 'rate_limited'],
      ['openai:good', 'ok'],
    ]);
    const again = await traceOf(server, plainRequest(workspace, QUESTION));
    expect(again?.attempts[0]).toMatchObject({ model: 'openai:limited', outcome: 'paused', tokens: 0 });
  });
});

test('the time of a stage ends where the next begins, and a stage that goes on counts once', () => {
  let now = 0;
  const recorder = new TraceRecorder(() => now);
  recorder.enter('understanding');
  now = 2;
  recorder.enter('searching');
  now = 10;
  recorder.enter('reading');
  now = 11;
  recorder.enter('reading');
  now = 15;
  recorder.end();
  now = 99;
  expect(recorder.ms).toEqual({ understanding: 2, searching: 8, reading: 5 });
});
