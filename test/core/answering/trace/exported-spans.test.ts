import { beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../../../../core/answering/ask.ts';
import { rehearse } from '../../../../core/answering/rehearsal.ts';
import type { EndedSpan } from '../../../../core/tracing/spans.ts';
import { Tracer } from '../../../../core/tracing/tracer.ts';
import { startFakeProvider } from '../../../helpers/models/providers/fake-provider.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { plainRequest } from '../../../helpers/servers/questions/plain-request.ts';

const QUESTION = 'Within how many days can I return a box?';
const signal = new AbortController().signal;

describe('the spans that an answer exports', async () => {
  const exported: EndedSpan[] = [];
  const outlet = {
    add: (spans: readonly EndedSpan[]) => void exported.push(...spans),
    close: async () => {},
  };
  const spans = new Tracer(outlet, () => 'seed');
  const provider = await startFakeProvider({ good: 'You can return a box within 30 days [1].' });
  const environment = { ...provider.environment, LLM_MODELS: 'openai:good' };
  const lines: string[] = [];
  const server = await openTestServer({
    runtime: {
      environment: { ...environment, LOG_LEVEL: 'info' },
      logged: { write: (line) => void lines.push(line) },
    },
    alter: () => ({ spans }),
  });
  const { runtime } = server;
  const workspace = await server.makeWorkspace();
  await server.addDocument(workspace.id, '# Returns\n\nYou can return a box within 30 days.');
  const named = (name: string) => exported.filter((span) => span.name === name);
  const endedLines = () =>
    lines
      .map((line): unknown => JSON.parse(line))
      .filter((line) => JSON.stringify(line).includes('message ended'));

  beforeEach(() => {
    exported.length = 0;
    lines.length = 0;
  });

  test('tell its model and tokens, and one line tells its end', async () => {
    const { messageId } = await ask(runtime, plainRequest(workspace, QUESTION), { signal });
    expect(named('answer')).toMatchObject([
      { parentSpanId: null, attributes: { 'parley.message.id': messageId, 'parley.answer.path': 'model' } },
    ]);
    const [call] = named('chat good');
    expect(call?.attributes).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.total_tokens': expect.any(Number),
    });
    expect(named('search')).toHaveLength(1);
    expect(endedLines()).toMatchObject([
      {
        ...{ message: messageId, workspace: workspace.id, kind: 'api', outcome: 'answered' },
        trace: named('answer')[0]?.traceId,
      },
    ]);
    expect(JSON.stringify([exported, endedLines()])).not.toMatch(/return a box/);
  });

  test('come also for a workspace that keeps no traces, and nothing is stored then', async () => {
    const forgetful = { ...workspace, settings: { trace_days: 0 } };
    const { messageId } = await ask(runtime, plainRequest(forgetful, QUESTION), { signal });
    expect(named('chat good')).toHaveLength(1);
    const { trace } = await runtime.database.kysely
      .selectFrom('message')
      .select('trace')
      .where('id', '=', messageId)
      .executeTakeFirstOrThrow();
    expect(trace).toBeNull();
  });

  test('name the code of an error, although nothing is stored', async () => {
    const broken = { ...workspace, settings: { model: 'openai:broken' } };
    const failing = { ...runtime, writer: null, complete: null };
    const stopped = AbortSignal.abort(new Error('gone'));
    await expect(ask(failing, plainRequest(broken, QUESTION), { signal: stopped })).rejects.toThrow('gone');
    expect(named('answer')).toMatchObject([
      { error: 'Error', attributes: { 'parley.answer.path': 'failed' } },
    ]);
    expect(endedLines()).toEqual([]);
  });

  test('join the trace of a caller that sends a traceparent', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const response = await server.app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${workspace.key}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      payload: { query: QUESTION },
    });
    expect(response.statusCode).toBe(200);
    expect(named('answer')).toMatchObject([
      { traceId, parentSpanId: '00f067aa0ba902b7', isCallerSampled: true },
    ]);
    expect(new Set(exported.map((span) => span.traceId))).toEqual(new Set([traceId]));
  });

  test('do not come for a question that is only rehearsed, as replays, trials and evaluations do', async () => {
    const { trace } = await rehearse(runtime, {
      ...{ workspace, text: QUESTION, earlierTurns: [], summary: null, audience: [], channel: 'api' },
      ...{ conversationId: null, language: null, model: null, strictness: 'strict', signal },
    });
    expect(trace.path).toBe('model');
    expect(exported).toEqual([]);
  });
});
