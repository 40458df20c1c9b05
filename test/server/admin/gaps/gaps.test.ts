import { describe, expect, test } from 'vitest';
import { checkGapSlice } from '../../../../core/evaluation/gaps/check-gap.ts';
import { sortAtNight } from '../../../../core/evaluation/gaps/gap-queue.ts';
import { sortQuestions } from '../../../../core/evaluation/gaps/sort-questions.ts';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const server = await openTestServer();
const { operate, makeWorkspace, addDocument, runtime, query, app } = server;
const { signal } = new AbortController();
const database = runtime.database.kysely;

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly language: string;
  readonly question: string;
  readonly questions: number;
  readonly state: string;
}

/** A workspace with one document, its visitors and its worker. */
async function openShop() {
  const workspace = await makeWorkspace();
  await addDocument(workspace.id, '# Returns\n\nYou can return a box within 30 days of delivery.');
  const path = `/workspaces/${workspace.id}`;
  const call = async (method: 'GET' | 'POST' | 'PATCH', below = '', body?: object) =>
    operate(method, `${path}/gaps${below}`, body);
  const ask = async (text: string, conversation_id?: string) =>
    (await query(workspace.key, { query: text, conversation_id })).json();
  const dislike = ({ conversation_id: id, message_id }: Awaited<ReturnType<typeof ask>>) =>
    app.inject({
      method: 'POST',
      url: `/v1/conversations/${id}/messages/${message_id}/feedback`,
      headers: { authorization: `Bearer ${workspace.key}` },
      payload: { value: 'down' },
    });
  const reply = (conversation: string, content: string) =>
    operate('POST', `${path}/conversations/${conversation}/reply`, {
      content,
      author_email: 'ben@shop.example',
    });
  const sort = () => sortQuestions(runtime, { workspaceId: workspace.id, signal });
  const list = async (filter = ''): Promise<Listed[]> => (await call('GET', filter)).json().gaps;
  /** Asks the questions of a gap again, as the worker does. */
  const check = async (gapId: string) => {
    while ((await checkGapSlice(runtime, { workspaceId: workspace.id, gapId, signal })) !== null);
    return (await call('GET', `/${gapId}`)).json();
  };
  return { workspace, path, call, ask, dislike, reply, sort, list, check };
}

describe('gaps', () => {
  test('questions about the same are one gap, others and other languages are not', async () => {
    const { ask, sort, list, call, workspace } = await openShop();
    expect((await call('POST', '/refresh')).json()).toEqual({ waiting: 0 });
    await ask('Can I pay for my order by invoice?');
    await ask('Is it possible to pay my order by invoice?');
    await ask('Do you sell ladders made of steel?');
    await ask('Kann ich meine Bestellung auf Rechnung bezahlen?');
    expect((await call('POST', '/refresh')).json()).toEqual({ waiting: 4 });
    await sort();
    await sort();
    expect((await call('POST', '/refresh')).json()).toEqual({ waiting: 0 });
    const gaps = await list();
    expect(gaps.map(({ language, questions, kind }) => `${language} ${kind} ${questions}`).sort()).toEqual([
      'de nothing 1',
      'en nothing 1',
      'en nothing 2',
    ]);
    const [first] = gaps;
    expect(first).toMatchObject({
      question: expect.stringContaining('invoice'),
      state: 'open',
      people: 2,
      channels: ['api'],
      nearest: { title: 'Returns' },
      weeks: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2],
    });
    expect((await call('GET', `/${first?.id}`)).json().latest).toHaveLength(2);
    expect((await call('GET')).json().counts).toEqual({ open: 3, planned: 0, done: 0, dismissed: 0 });
    const other = await openShop();
    expect((await other.call('GET', `/${first?.id}`)).json().code).toBe('gap_not_found');
    const page = (await call('GET', '?limit=1')).json();
    const rest = (await call('GET', `?limit=2&cursor=${page.pagination.next_cursor}`)).json().gaps;
    expect([page.gaps.length, rest.length, workspace.id]).toEqual([1, 2, workspace.id]);
  });

  test('a disliked answer was refused, and a wish for a person is about what was asked before', async () => {
    const { ask, dislike, sort, list } = await openShop();
    await dislike(await ask('Within how many days can I return a box?'));
    const { conversation_id: id } = await ask('How many days after delivery is a return of a box possible?');
    await ask('I want to talk to a human', id);
    await ask('I want to talk to a human');
    await sort();
    expect((await list()).map(({ kind, question }) => `${kind}: ${question}`).sort()).toEqual([
      'person: How many days after delivery is a return of a box possible?',
      'refused: Within how many days can I return a box?',
    ]);
    expect(await list('?kind=person')).toHaveLength(1);
  });

  test('a gap that is done opens with the next question, and not with one from before', async () => {
    const { ask, sort, list, call } = await openShop();
    await ask('Can I pay for my order by invoice?');
    await sort();
    const [gap] = await list();
    await ask('Can I pay my order by invoice?');
    await call('PATCH', `/${gap?.id}`, { state: 'done' });
    await sort();
    expect(await list('?state=done')).toMatchObject([{ questions: 2 }]);
    await ask('Could I pay for the order by invoice?');
    await sort();
    expect(await list('?state=open')).toMatchObject([{ id: gap?.id, questions: 3 }]);
  });

  test('gaps are merged by hand, those of two languages are not', async () => {
    const { ask, sort, list, call } = await openShop();
    await ask('Can I pay for my order by invoice?');
    await ask('Do you sell ladders made of steel?');
    await ask('Kann ich meine Bestellung auf Rechnung bezahlen?');
    await sort();
    const gaps = await list();
    const english = gaps.filter(({ language }) => language === 'en').map(({ id }) => id);
    const german = gaps.find(({ language }) => language === 'de')?.id;
    const refused = await call('POST', `/${english[0]}/merge`, { gap_ids: [german] });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'gap_language_differs']);
    const merged = (await call('POST', `/${english[0]}/merge`, { gap_ids: [english[1]] })).json();
    expect(merged.questions).toBe(2);
    expect(await list()).toHaveLength(2);
  });

  test('a deleted conversation leaves no trace', async () => {
    const { ask, sort, list, path } = await openShop();
    const { conversation_id: id } = await ask('Can I pay for my order by invoice?');
    await sort();
    expect(await list()).toHaveLength(1);
    await database.deleteFrom('conversation').where('id', '=', id).execute();
    expect([await list(), path]).toEqual([[], path]);
  });

  test('a draft comes from what agents replied; its answer answers the gap, which is then done', async () => {
    const { ask, sort, list, call, reply, check, path, workspace } = await openShop();
    const { conversation_id: id } = await ask('Can I pay for my order by invoice?');
    await ask('Is it possible to pay my order by invoice?');
    expect((await reply(id, 'Hello Ann, you can pay by invoice from your second order on.')).statusCode).toBe(
      201,
    );
    await sort();
    const [gap] = await list();
    const draft = (await call('GET', `/${gap?.id}/draft`)).json();
    expect(draft).toMatchObject({
      answer: 'You can pay by invoice from your second order on.',
      replies: [{ conversation_id: id }],
    });
    expect([draft.question, ...draft.phrasings].sort()).toEqual([
      'Can I pay for my order by invoice?',
      'Is it possible to pay my order by invoice?',
    ]);
    const { question, phrasings, answer } = draft;
    const written = (
      await operate('POST', `${path}/curated-answers`, { question, phrasings, answer })
    ).json();
    const started = await call('POST', `/${gap?.id}/check`, { answer_id: written.id });
    expect(started.json()).toMatchObject({ answer_id: written.id, check: { running: true, asked: 0 } });
    const turn = { workspaceId: workspace.id, gapId: gap?.id ?? '', signal };
    expect(await checkGapSlice(runtime, turn)).toMatchObject({ delayMs: 1_000 });
    await ingestDocument({ ...runtime, database }, written.id);
    expect(await check(gap?.id ?? '')).toMatchObject({
      state: 'done',
      check: { running: false, asked: 2, answered: 2, unsure: 0 },
      latest: [{ tier: 'answer' }, { tier: 'answer' }],
    });
    expect((await ask('Is it possible to pay my order by invoice?')).tier).toBe('answer');
  });

  test('every night the questions of workspaces are sorted that were not', async () => {
    const { workspace, sort } = await openShop();
    const added: string[] = [];
    const queue = {
      add: async (_: string, __: string, payload: object) => {
        if ('workspaceId' in payload) added.push(String(payload.workspaceId));
      },
    };
    const now = new Date();
    now.setUTCHours(3, 0, 0, 0);
    const at = (time: Date) => ({ database, queue, log: runtime.log, clock: { now: () => time } });
    await sortAtNight(at(new Date(now.getTime() + 12 * 3_600_000)));
    expect(added).toEqual([]);
    await sortAtNight(at(now));
    expect(added).toContain(workspace.id);
    await sort();
    added.length = 0;
    await sortAtNight(at(new Date(Math.min(now.getTime(), Date.now()))));
    expect(added).not.toContain(workspace.id);
  });
});
