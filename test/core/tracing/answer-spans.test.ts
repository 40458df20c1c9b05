import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { AnswerTrace } from '../../../core/contract/trace/answer-trace.ts';
import { toAnswerSpans } from '../../../core/tracing/answer-spans.ts';
import type { AnsweredSpan, AnswerTimes } from '../../../core/tracing/spans.ts';
import { placeOf } from '../../../core/tracing/trace-ids.ts';

/** Words that only visitors and documents say. No attribute may hold them. */
const SECRET = 'quokka';

const quoted: AnswerTrace = {
  v: 1,
  path: 'quoted',
  ms: { understanding: 2, searching: 8, reading: 5, writing: 1 },
  question: { language: 'en', audience: [], verified: false, turns: 2, masked: false },
  readings: [
    { text: `Where is the ${SECRET}?`, part: 0, score: 0.8, ms: 3 },
    { text: `And its ${SECRET}?`, part: 1, score: 0.5, ms: 2 },
  ],
  found: 1,
  passages: [
    {
      ...{ chunk: 'chunk_1', document: 'doc_1', words: 1, coverage: 1, meaning: 1, fused: 1, score: 1 },
      ...{ read: true, use: 'used' },
    },
  ],
  limits: { maybe: 0.3, answer: 0.4, high: 0.7 },
  attempts: [],
  sentences: [{ text: `The ${SECRET} sleeps.`, verdict: 'grounded', fate: 'kept', by: ['chunk_1'] }],
  skills: [],
  settings: { strictness: 'strict', model: null, skills: 1, corrected: false },
};

const stages: AnswerTimes['stages'] = [
  { stage: 'understanding', at: 1_000, until: 1_002 },
  { stage: 'searching', at: 1_002, until: 1_010 },
  { stage: 'reading', at: 1_010, until: 1_015 },
  { stage: 'writing', at: 1_015, until: 1_916 },
];
const times: AnswerTimes = { stages, readings: [1_003, 1_006], attempts: [], skills: [] };

function answered(trace: Partial<AnswerTrace>, more: Partial<AnsweredSpan> = {}): AnsweredSpan {
  return {
    ...{ parent: null, workspaceId: 'ws_1', channel: 'api', conversationId: 'conv_1', messageId: 'msg_1' },
    ...{ startMs: 999, endMs: 1_920, tokens: 0, confidence: 'high', failed: null, times },
    trace: { ...quoted, ...trace },
    ...more,
  };
}

/** Each span with the names of those above it, in order. */
function treeOf(answer: AnsweredSpan): readonly string[] {
  const spans = toAnswerSpans(answer, answer.messageId ?? 'seed');
  const path = (id: string | null): string => {
    const span = spans.find(({ spanId }) => spanId === id);
    return span === undefined ? '' : `${path(span.parentSpanId)}/${span.name}`;
  };
  return spans.map(({ spanId }) => path(spanId));
}

describe('the spans of an answer', () => {
  test('are one tree of the stages and the searched texts', () => {
    expect(treeOf(answered({}))).toEqual([
      '/answer',
      '/answer/understanding',
      '/answer/searching',
      '/answer/reading',
      '/answer/writing',
      '/answer/searching/search',
      '/answer/searching/search',
    ]);
  });

  test('have ids of their own in the trace of their message', () => {
    const spans = toAnswerSpans(answered({}), 'msg_1');
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
      new Set([placeOf({ messageId: 'msg_1' }).traceId]),
    );
    expect(spans[0]).toMatchObject({ parentSpanId: null, kind: 'server', startMs: 999, endMs: 1_920 });
  });

  test('are below the span of their caller', () => {
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isCallerSampled: true };
    const spans = toAnswerSpans(answered({}, { parent }), 'msg_1');
    expect(spans[0]).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId });
    expect(spans.every((span) => span.traceId === parent.traceId && span.isCallerSampled === true)).toBe(
      true,
    );
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  test('show each model that was called in turn, with its tokens and its error', () => {
    const trace: Partial<AnswerTrace> = {
      path: 'model',
      attempts: [
        { for: 'search', model: 'openai:small', outcome: 'ok', ms: 1, tokens: 12 },
        { for: 'answer', model: 'mistral:large', outcome: 'paused', ms: 0, tokens: 0 },
        { for: 'answer', model: 'azure_openai:gpt', outcome: 'rate_limited', ms: 100, tokens: 0 },
        { for: 'answer', model: 'google:gemini:pro', outcome: 'ok', ms: 700, tokens: 120 },
      ],
    };
    const attempts = [
      { at: 1_000, input: 10 },
      { at: 1_015, input: 0 },
      { at: 1_015, input: 0 },
      { at: 1_116, input: 100 },
    ];
    const answer = answered(trace, { times: { ...times, attempts } });
    expect(treeOf(answer).slice(-3)).toEqual([
      '/answer/understanding/chat small',
      '/answer/writing/chat gpt',
      '/answer/writing/chat gemini:pro',
    ]);
    const [root, ...others] = toAnswerSpans(answer, 'msg_1');
    expect(root?.attributes['parley.models.paused']).toBe(1);
    const [limited, good] = others.slice(-2);
    expect(limited).toMatchObject({ error: 'rate_limited', kind: 'client', startMs: 1_015, endMs: 1_115 });
    expect(limited?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'azure.ai.openai',
      'gen_ai.request.model': 'gpt',
    });
    expect(good).toMatchObject({ error: null, startMs: 1_116, endMs: 1_816 });
    expect(good?.attributes).toMatchObject({
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
    });
  });

  test('show a skill, and that it failed', () => {
    const answer = answered(
      { path: 'skill', skills: [{ name: 'refund', by: 'model', outcome: 'failed', ms: 40 }] },
      { times: { ...times, skills: [1_020] } },
    );
    expect(treeOf(answer).at(-1)).toBe('/answer/writing/execute_tool refund');
    expect(toAnswerSpans(answer, 'msg_1').at(-1)).toMatchObject({
      error: 'failed',
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'refund' },
    });
  });

  test('end where a cancelled answer ended', () => {
    const answer = answered({ path: 'cancelled' }, { times: { ...times, stages: stages.slice(0, 2) } });
    expect(treeOf(answer)).not.toContain('/answer/writing');
    const [root] = toAnswerSpans(answer, 'msg_1');
    expect(root).toMatchObject({ error: 'cancelled', attributes: { 'parley.answer.path': 'cancelled' } });
  });

  test('name the code of the error if nothing was stored', () => {
    const failed = new AppError('provider_down', { detail: `no ${SECRET}` });
    const [root] = toAnswerSpans(
      answered({ path: 'fallback' }, { failed, messageId: null, confidence: null }),
      'seed',
    );
    expect(root).toMatchObject({ error: 'provider_down', attributes: { 'parley.answer.path': 'failed' } });
    expect(root?.traceId).toBe(placeOf({ messageId: 'seed' }).traceId);
  });

  test('hold no text of visitors, documents and errors', () => {
    const spans = [
      ...toAnswerSpans(answered({}), 'msg_1'),
      ...toAnswerSpans(answered({}, { failed: new TypeError(SECRET) }), 'msg_1'),
    ];
    expect(JSON.stringify(spans)).not.toContain(SECRET);
    expect(spans[0]?.attributes).toMatchObject({
      'parley.passages.used': ['chunk_1'],
      'parley.workspace.id': 'ws_1',
      'gen_ai.conversation.id': 'conv_1',
    });
  });
});
