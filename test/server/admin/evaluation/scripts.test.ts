import { describe, expect, test } from 'vitest';
import { openTriedSet } from '../../../../core/changes/trial-runs.ts';
import { runTestSlice } from '../../../../core/evaluation/run-slice.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const server = await openTestServer();
const { operate, makeWorkspace, addDocument, runtime } = server;
const database = runtime.database.kysely;

/** A workspace with one document, and calls below its path. */
async function openShop() {
  const workspace = await makeWorkspace();
  const document = await addDocument(
    workspace.id,
    '# Returns\n\nYou can return a box within 30 days of delivery.\n\n# Shipping\n\nShipping a box to Sweden costs 9 euros. Shipping a box to Norway costs 12 euros.',
  );
  const path = `/workspaces/${workspace.id}`;
  const call = async (method: 'GET' | 'POST', below: string, body?: object) =>
    operate(method, `${path}${below}`, body);
  const store = (...questions: object[]) => call('POST', '/test-questions', { questions });
  /** Ends a run, as the worker does. */
  const finish = async (runId: string) => {
    const signal = new AbortController().signal;
    const openTrial: Parameters<typeof runTestSlice>[0]['openTrial'] = (tried, live) =>
      openTriedSet({ database, corpora: runtime.corpora }, tried, live);
    while ((await runTestSlice({ ...runtime, openTrial }, { runId, signal })) !== null);
  };
  const run = async () => {
    const { id } = (await call('POST', '/test-runs')).json();
    await finish(id);
    return (await call('GET', `/test-runs/${id}`)).json();
  };
  return { workspace, document, path, call, store, run, finish };
}

describe('a scripted customer', () => {
  test('is played in order, each message with those before it as memory, and counted as one question', async () => {
    const { store, run, call, document } = await openShop();
    const stored = await store({
      ...{ question: 'Learns what shipping costs', channel: 'widget', language: 'en' },
      turns: [
        { message: 'Hello!' },
        { message: 'What does shipping a box to Sweden cost?', phrase: '9 euros', document_id: document.id },
        { message: 'And to Norway?', phrase: '12 euros', tier: 'maybe' },
        { message: 'Who won the world cup in chess boxing?', refuse: true },
        { message: 'I want to talk to a human', person: true },
      ],
    });
    expect(stored.json()).toMatchObject({ added: 1, changed: 0 });
    const result = await run();
    expect(result).toMatchObject({ questions: 1, right: 1, wrong: 0, refused: 0, unsure: 0 });
    const outcomes = result.results[0].turns.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['right', 'right', 'right', 'right', 'right']);
    const [question] = (await call('GET', '/test-questions?kind=script')).json().questions;
    expect(question).toMatchObject({
      ...{ question: 'Learns what shipping costs', channel: 'widget' },
      turns: [{ message: 'Hello!', phrase: null }, {}, { tier: 'maybe' }, { refuse: true }, { person: true }],
      last: { outcome: 'right', turns: [{}, { source_title: expect.any(String) }, {}, {}, {}] },
    });
    expect((await call('GET', '/test-questions?kind=question')).json().questions).toEqual([]);
  });

  test('fails with the first turn that does not hold and the reason; the turns after it are played too', async () => {
    const { store, run } = await openShop();
    await store({
      question: 'Sends a box back',
      turns: [
        { message: 'Within how many days can I return a box?', phrase: '30 days' },
        { message: 'What does shipping a box to Sweden cost?', phrase: '7 euros' },
        { message: 'What does shipping a box to Norway cost?', refuse: true },
      ],
    });
    const result = await run();
    expect([result.wrong, result.right]).toEqual([1, 0]);
    expect(result.results).toMatchObject([
      {
        outcome: 'wrong',
        because: 'Turn 2: The answer has none of the accepted texts.',
        turns: [
          { outcome: 'right', reply: expect.stringContaining('30 days') },
          { outcome: 'wrong', because: 'The answer has none of the accepted texts.' },
          { outcome: 'wrong' },
        ],
      },
    ]);
  });

  test('meets nobody after a hand-over, also one after several answers that did not help', async () => {
    const { workspace, store, run } = await openShop();
    await runtime.workspaces.update(workspace.id, { settings: { escalate_after_fallbacks: 2 } });
    const unknown = 'Who won the world cup in chess boxing?';
    await store({
      question: 'Gets a person and goes on',
      turns: [
        { message: unknown, refuse: true },
        { message: unknown, person: true },
        { message: 'Within how many days can I return a box?', phrase: '30 days' },
      ],
    });
    const { results } = await run();
    expect(results[0]).toMatchObject({
      outcome: 'refused',
      because: 'Turn 3: A person has the conversation since turn 2.',
      turns: [{ outcome: 'right' }, { outcome: 'right' }, { reply: '', tier: null }],
    });
  });

  test('leaves nothing behind: no conversation, no usage, no webhook and no hand-over', async () => {
    const { workspace, store, run, call } = await openShop();
    await call('POST', '/webhooks', {
      url: 'https://shop.example/hook',
      events: ['conversation.created', 'conversation.escalated'],
    });
    await store({
      question: 'Wants a person',
      turns: [{ message: 'I want to talk to a human', person: true }],
    });
    expect(await run()).toMatchObject({ right: 1 });
    for (const table of ['conversation', 'message', 'webhook_delivery', 'insight_episode'] as const) {
      const rows = await database
        .selectFrom(table)
        .select('workspace_id')
        .where('workspace_id', '=', workspace.id)
        .execute();
      expect([table, rows]).toEqual([table, []]);
    }
    const usage = await database
      .selectFrom('owner_usage')
      .selectAll()
      .where('owner_id', '=', workspace.owner)
      .execute();
    expect(usage).toEqual([]);
  });

  test('is tried with a change set: its replies are compared with those of the live workspace', async () => {
    const { store, call, finish, document } = await openShop();
    await store({
      question: 'Sends a box back',
      turns: [
        { message: 'What does shipping a box to Sweden cost?', phrase: '9 euros' },
        { message: 'Within how many days can I return a box?', document_id: document.id },
      ],
    });
    const change = { kind: 'document_removed', document_id: document.id };
    const set = (await call('POST', '/change-sets', { name: 'Clean up', change })).json();
    const { run_id: runId } = (await call('POST', `/change-sets/${set.id}/trials`)).json();
    await finish(runId);
    const { trial: tried } = (await call('GET', `/change-sets/${set.id}`)).json();
    expect(tried).toMatchObject({ is_green: false, counts: { worse: 1 } });
    expect(tried.results[0]).toMatchObject({
      live: { outcome: 'right', text: expect.stringMatching(/^1\. [\s\S]*\n2\. [\s\S]*30 days/) },
      after: { outcome: 'refused', because: expect.stringMatching(/^Turn 1: /) },
    });
  });

  test('that is stored again gets the new turns, and is another one than the question in the same words', async () => {
    const { store, call } = await openShop();
    const turns = [{ message: 'Hello!' }, { message: 'When?', refuse: true }];
    await store({ question: 'Can I return a box?', accepted: ['30 days'] });
    expect((await store({ question: 'Can I return a box?', turns })).json()).toMatchObject({ added: 1 });
    const again = await store({ question: 'can I return a box?', turns: turns.slice(1) });
    expect(again.json()).toMatchObject({ added: 0, changed: 1 });
    const { questions } = (await call('GET', '/test-questions?kind=script')).json();
    expect(questions).toMatchObject([{ turns: [{ message: 'When?' }], last: null }]);
  });

  test('400: no turn expects anything, or more than the turns is expected; 404: a document of another workspace', async () => {
    const { store } = await openShop();
    const other = await openShop();
    const question = 'Sends a box back';
    const turn = { message: 'When?', refuse: true };
    const codeOf = async (script: object) => (await store({ question, ...script })).json().code;
    expect(await codeOf({ turns: [{ message: 'Hello!' }] })).toBe('invalid_test_question');
    expect(await codeOf({ turns: [turn], accepted: ['noon'] })).toBe('invalid_test_question');
    expect(await codeOf({ turns: [{ message: 'When?', document_id: other.document.id }] })).toBe(
      'document_not_found',
    );
  });
});
