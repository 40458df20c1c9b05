import { describe, expect, test } from 'vitest';
import { runTestSlice } from '../../../../core/evaluation/run-slice.ts';
import { startNightlyRuns } from '../../../../core/evaluation/test-runs.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { operate, makeWorkspace, addDocument, runtime } = server;

/** A workspace with one document, and calls below its path. */
async function openShop() {
  const workspace = await makeWorkspace();
  const document = await addDocument(
    workspace.id,
    '# Returns\n\nYou can return a box within 30 days.\n\n# Hours\n\nThe shop opens at nine.',
  );
  const path = `/workspaces/${workspace.id}`;
  const call = async (method: 'GET' | 'POST' | 'DELETE', below: string, body?: object) =>
    operate(method, `${path}${below}`, body);
  const store = (...questions: object[]) => call('POST', '/test-questions', { questions });
  /** Asks all questions, as the worker does. */
  const run = async () => {
    const { id } = (await call('POST', '/test-runs')).json();
    const signal = new AbortController().signal;
    while ((await runTestSlice(runtime, { runId: id, signal })) !== null);
    return (await call('GET', `/test-runs/${id}`)).json();
  };
  return { workspace, document, path, call, store, run };
}

describe('test questions', () => {
  test('are stored, listed newest first, searched and deleted', async () => {
    const { call, store } = await openShop();
    await store({ question: 'When does the shop open?', accepted: ['nine'] });
    const stored = await store({ question: 'Do you sell ladders?', expects: 'nothing' });
    expect([stored.statusCode, stored.json()]).toEqual([
      200,
      expect.objectContaining({ added: 1, changed: 0 }),
    ]);
    const { questions, total } = (await call('GET', '/test-questions')).json();
    expect(questions.map(({ question }: { question: string }) => question)).toEqual([
      'Do you sell ladders?',
      'When does the shop open?',
    ]);
    expect([total, questions[0].last]).toEqual([2, null]);
    expect((await call('GET', '/test-questions?q=LADDERS')).json().questions).toHaveLength(1);
    expect((await call('DELETE', `/test-questions/${questions[0].id}`)).statusCode).toBe(204);
    expect((await call('GET', '/test-questions')).json().total).toBe(1);
  });

  test('the same question gets the new expectation, and a question of another audience is another one', async () => {
    const { call, store } = await openShop();
    await store({ question: 'When does the shop open?', accepted: ['ten'] });
    const again = await store({ question: 'when does the shop open? ', accepted: ['nine'] });
    expect(again.json()).toMatchObject({ added: 0, changed: 1 });
    const { questions } = (await call('GET', '/test-questions')).json();
    expect(questions).toHaveLength(1);
    expect(questions[0].accepted).toEqual(['nine']);
  });

  test('400: nothing tells whether an answer is right; 404: a document of another workspace', async () => {
    const { store } = await openShop();
    const other = await openShop();
    expect((await store({ question: 'Why?' })).json().code).toBe('invalid_test_question');
    const foreign = await store({ question: 'Why?', document_id: other.document.id });
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'document_not_found']);
  });

  test('404: one of another workspace; 403: a viewer stores none', async () => {
    const one = await openShop();
    const other = await openShop();
    const [id] = (await one.store({ question: 'Why?', accepted: ['x'] })).json().ids;
    expect((await other.call('DELETE', `/test-questions/${id}`)).json().code).toBe('test_question_not_found');
    const vic = await signInPerson(server, {
      email: 'vic@shop.example',
      role: 'viewer',
      ownerId: one.workspace.owner,
    });
    const refused = await vic.call('POST', `/admin/v1${one.path}/test-runs`);
    expect(refused.statusCode).toBe(403);
  });
});

describe('a run of the test questions', () => {
  test('counts right, wrong and refused answers and tells what changed since the run before', async () => {
    const { workspace, document, store, run, call } = await openShop();
    await store(
      { question: 'Within how many days can I return a box?', document_id: document.id, section: 'Returns' },
      { question: 'At what time does the shop open?', accepted: ['at ten'] },
      { question: 'Which paint suits a garden fence?', said: 'Use the blue paint.' },
      { question: 'Who won the world cup in chess boxing?', expects: 'nothing' },
    );
    const first = await run();
    expect(first).toMatchObject({
      state: 'finished',
      questions: 4,
      right: 2,
      wrong: 1,
      refused: 1,
      unsure: 0,
    });
    expect(first.results).toHaveLength(4);
    const hours = (await call('GET', '/test-questions?outcome=wrong')).json().questions;
    expect(hours).toMatchObject([
      {
        question: 'At what time does the shop open?',
        last: { outcome: 'wrong', answer: expect.any(String) },
      },
    ]);
    await addDocument(workspace.id, '# Fences\n\nFor a garden fence use the blue paint, which suits wood.');
    const second = await run();
    expect(second).toMatchObject({ right: 3, wrong: 1, refused: 0 });
    expect(second.results[0]).toMatchObject({ before: 'refused', outcome: 'right' });
    const runs = (await call('GET', '/test-runs')).json().runs;
    expect(runs.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
  });

  test('409: while one is going, and without questions; cancelled, another starts', async () => {
    const { call, store } = await openShop();
    expect((await call('POST', '/test-runs')).json().code).toBe('no_test_questions');
    await store({ question: 'At what time does the shop open?', accepted: ['nine'] });
    const { id } = (await call('POST', '/test-runs')).json();
    expect((await call('POST', '/test-runs')).json().code).toBe('test_running');
    expect((await call('POST', `/test-runs/${id}/cancel`)).statusCode).toBe(204);
    expect((await call('GET', `/test-runs/${id}`)).json().state).toBe('cancelled');
    expect(await runTestSlice(runtime, { runId: id, signal: new AbortController().signal })).toBeNull();
    expect((await call('POST', '/test-runs')).statusCode).toBe(202);
  });

  test('that was stopped goes on with the questions that are left, and asks none twice', async () => {
    const { call, store } = await openShop();
    await store(
      { question: 'At what time does the shop open?', accepted: ['nine'] },
      { question: 'Within how many days can I return a box?', accepted: ['30 days'] },
    );
    const { id } = (await call('POST', '/test-runs')).json();
    const stopped = new AbortController();
    stopped.abort();
    expect(await runTestSlice(runtime, { runId: id, signal: stopped.signal })).toBe(1);
    const signal = new AbortController().signal;
    const both = await Promise.all([
      runTestSlice(runtime, { runId: id, signal }),
      runTestSlice(runtime, { runId: id, signal }),
    ]);
    expect(both).toEqual([null, null]);
    expect((await call('GET', `/test-runs/${id}`)).json()).toMatchObject({ state: 'finished', right: 2 });
  });

  test('starts by itself once a night', async () => {
    const { workspace, store, call } = await openShop();
    await store({ question: 'At what time does the shop open?', accepted: ['nine'] });
    const at = (time: string) => ({
      ...runtime,
      database: runtime.database.kysely,
      clock: { now: () => new Date(time) },
    });
    const reasons = async () =>
      (await call('GET', '/test-runs')).json().runs.map(({ reason }: { reason: string }) => reason);
    await startNightlyRuns(at('2031-03-02T01:59:00Z'));
    expect(await reasons()).toEqual([]);
    await startNightlyRuns(at('2031-03-02T02:10:00Z'));
    await startNightlyRuns(at('2031-03-02T02:20:00Z'));
    expect(await reasons()).toEqual(['nightly']);
    expect(workspace.id).toMatch(/^ws_/);
  });
});
