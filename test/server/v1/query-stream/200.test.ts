import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openStreamServer, question } from '../../../helpers/servers/open-stream-server.ts';
import { readEvents, textOf } from '../../../helpers/servers/questions/read-events.ts';

const server = await openStreamServer();
const { frames, query, workspace } = server;

describe('a stream', () => {
  test('sends its stages once each and in order, then the tokens, then one last frame', async () => {
    const all = await frames();
    const stages = all.slice(0, 4);
    expect(stages.map(({ event, stage }) => [event, stage])).toEqual([
      ['status', 'understanding'],
      ['status', 'searching'],
      ['status', 'reading'],
      ['status', 'writing'],
    ]);
    for (const { text } of stages) expect(text).toMatch(/\w+/);
    const tokens = all.slice(4, -1);
    expect(tokens.length).toBeGreaterThan(3);
    for (const frame of tokens) expect(frame).toEqual({ token: expect.stringMatching(/./), done: false });
    expect(all.filter(({ done }) => done)).toEqual([all.at(-1)]);
  });

  test('ends with all fields of a complete answer except its text', async () => {
    const last = (await frames()).at(-1);
    expect(last).toEqual({
      token: '',
      done: true,
      sources: expect.any(Array),
      citations: expect.any(Array),
      tokens_used: 0,
      conversation_id: expect.stringMatching(/^conv_\w+$/),
      message_id: expect.stringMatching(/^msg_\w+$/),
      query_id: last?.message_id,
      confidence: expect.stringMatching(/^(high|medium)$/),
      skills_fired: ['knowledge_search'],
      tier: 'answer',
      probability: expect.any(Number),
      ai_generated: false,
      quoted: true,
      lead: 'Parcels arrive within three working days.',
    });
  });

  test('contains the same sources as a complete answer', async () => {
    const whole = (await query(workspace.key, { query: question })).json();
    expect((await frames()).at(-1)?.sources).toEqual(whole.sources);
  });

  test('has headers that prevent buffering, and the headers of every response', async () => {
    const response = await server.post();
    await response.body?.cancel();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
      'x-ratelimit-limit-minute': '1000',
      'x-ratelimit-remaining-minute': expect.stringMatching(/^\d+$/),
      'x-ratelimit-limit-day': '100000',
      'x-ratelimit-remaining-day': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset-day': expect.stringMatching(/^\d+$/),
    });
  });

  test('has one data line per event, followed by a blank line', async () => {
    const text = await (await server.post()).text();
    for (const event of text.split('\n\n').slice(0, -1)) expect(event).toMatch(/^data: \{.*\}$/);
    expect(text.endsWith('}\n\n')).toBe(true);
  });

  test('accepts a workspace of the same owner, like a query', async () => {
    const sibling = await server.makeWorkspace({
      owner: workspace.owner,
      settings: { fallback_message: 'The sibling.' },
    });
    expect(textOf(await frames({ workspace_id: sibling.id }))).toBe('The sibling.');
  });

  test('counts as one message', async () => {
    const before = await server.messagesCounted();
    await frames();
    expect(await server.messagesCounted()).toBe(before + 1);
  });

  test('continues a conversation', async () => {
    const first = (await frames()).at(-1);
    const second = (await frames({ conversation_id: first?.conversation_id })).at(-1);
    expect(second?.conversation_id).toBe(first?.conversation_id);
    expect(await server.messagesOf(String(first?.conversation_id))).toHaveLength(4);
  });
});

test('the tokens of any answer are the stored answer and that of a query', async () => {
  const word = fc.constantFrom(
    'parcels',
    'arrive',
    'changed',
    'orders',
    'days',
    'zebra',
    'wann',
    '何日',
    '?',
  );
  const anyQuestion = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(anyQuestion, async (asked) => {
      const all = await frames({ query: asked });
      const messages = await server.messagesOf(String(all.at(-1)?.conversation_id));
      const whole = (await query(workspace.key, { query: asked })).json();
      expect(textOf(all)).toBe(whole.answer);
      expect(messages).toMatchObject([
        { role: 'user', content: asked },
        { role: 'assistant', content: whole.answer, id: all.at(-1)?.message_id, ended: null },
      ]);
    }),
    { numRuns: 40 },
  );
});

test('streams the fallback like any answer, also in languages without spaces', async () => {
  const all = await frames({ query: '返品はできますか' });
  expect(all.filter(({ done }) => done === false).length).toBeGreaterThan(5);
  expect(all.at(-1)).toMatchObject({ confidence: 'low', sources: [] });
});

describe('while an answer is pending', async () => {
  const letGo = Promise.withResolvers<void>();
  const slow = await openStreamServer({
    app: { keepAliveMs: 20 },
    writer: {
      async *write() {
        await letGo.promise;
        yield { text: 'At last.' };
      },
    },
  });

  test('comments keep the connection alive, and the stages have arrived', async () => {
    const response = await slow.openUnread();
    const comments: string[] = [];
    const heard: string[] = [];
    for await (const frame of readEvents(response, (comment) => {
      comments.push(comment);
      if (comments.length === 2) letGo.resolve();
    })) {
      heard.push(frame.stage ?? frame.token ?? '');
    }
    expect(comments.slice(0, 2)).toEqual(['keep-alive', 'keep-alive']);
    expect(heard.slice(0, 4)).toEqual(['understanding', 'searching', 'reading', 'writing']);
    expect(heard.slice(4).join('')).toBe('At last.');
    if (!response.closed) await once(response, 'close');
  });
});
