import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { operate, makeWorkspace, addDocument, runtime, query, app } = server;
const database = runtime.database.kysely;

interface Proposed {
  readonly message_id: string;
  readonly question: string;
  readonly outcome: string;
  readonly document_id: string | null;
}

/** A workspace with a document, and its visitors. */
async function openShop() {
  const workspace = await makeWorkspace();
  const document = await addDocument(
    workspace.id,
    '# Returns\n\nYou can return a box within 30 days of delivery.\n\n# Hours\n\nThe shop opens at nine.',
  );
  const path = `/workspaces/${workspace.id}`;
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', below = '', body?: object) =>
    operate(method, `${path}/test-questions${below}`, body);
  const ask = async (text: string, conversation_id?: string) =>
    (await query(workspace.key, { query: text, conversation_id })).json();
  const rate = ({ conversation_id: id, message_id }: Awaited<ReturnType<typeof ask>>, value: 'up' | 'down') =>
    app.inject({
      method: 'POST',
      url: `/v1/conversations/${id}/messages/${message_id}/feedback`,
      headers: { authorization: `Bearer ${workspace.key}` },
      payload: { value },
    });
  const propose = async (filter = ''): Promise<Proposed[]> =>
    (await call('GET', `/proposals${filter}`)).json().proposals;
  const decide = (message: string, decision: string) => call('PUT', `/proposals/${message}`, { decision });
  return { workspace, document, path, call, ask, rate, propose, decide };
}

const textsOf = (proposals: readonly Proposed[]) =>
  proposals.map(({ outcome, question }) => `${outcome}: ${question}`).sort();

describe('proposed test questions', () => {
  test('are what visitors asked, with the first line of the answer, its document and the rating', async () => {
    const { ask, rate, propose, document } = await openShop();
    const answered = await ask('Within how many days can I return a box?');
    await rate(answered, 'up');
    await rate(await ask('At what time does the shop open?'), 'down');
    await ask('Do you sell ladders made of steel?');
    const proposals = await propose();
    expect(textsOf(proposals)).toEqual([
      'answered: Within how many days can I return a box?',
      'disliked: At what time does the shop open?',
      'unanswered: Do you sell ladders made of steel?',
    ]);
    expect(proposals.find(({ message_id: id }) => id === answered.message_id)).toMatchObject({
      conversation_id: answered.conversation_id,
      channel: 'api',
      answer: expect.stringContaining('within 30 days'),
      sources: [{ document_id: document.id }],
      document_id: document.id,
      rating: 'up',
      audience: [],
    });
    expect(proposals.find(({ outcome }) => outcome === 'unanswered')?.document_id).toBeNull();
  });

  test('hold no small talk, no request for a person, no message that only the conversation explains and no question of the team', async () => {
    const { workspace, ask, propose } = await openShop();
    await ask('Hello!');
    await ask('I want to talk to a human');
    const { conversation_id: id } = await ask('Within how many days can I return a box?');
    await ask('And in Norway?', id);
    await signInPerson(server, { email: 'ann@shop.example', role: 'owner', ownerId: workspace.owner });
    const own = await ask('At what time does the shop open?');
    await database
      .updateTable('conversation')
      .set({ customer_email: 'Ann@shop.example' })
      .where('id', '=', own.conversation_id)
      .execute();
    expect(textsOf(await propose())).toEqual(['answered: Within how many days can I return a box?']);
  });

  test('are masked, also in the test question', async () => {
    const { ask, propose, decide, call } = await openShop();
    const { conversation_id: id } = await ask(
      'I am Zoe Quill, zoe@mail.example, +49 170 1234567: within how many days can I return a box?',
    );
    await database
      .updateTable('conversation')
      .set({ customer_name: 'Zoe Quill' })
      .where('id', '=', id)
      .execute();
    const masked = 'I am [name], [email], [number]: within how many days can I return a box?';
    const [proposal] = await propose();
    expect(proposal?.question).toBe(masked);
    await decide(proposal?.message_id ?? '', 'nothing');
    expect((await call('GET')).json().questions).toMatchObject([{ question: masked }]);
  });

  test('are no wordings of one question or of a test question, and the same ones for a seed', async () => {
    const { ask, propose, call } = await openShop();
    await ask('Within how many days can I return a box?');
    await ask('within how many days can I return a box');
    await ask('Within how many days can I return my box?');
    await ask('At what time does the shop open?');
    await ask('Do you sell ladders made of steel?');
    await call('POST', '', {
      questions: [{ question: 'At what time does your shop open?', accepted: ['nine'] }],
    });
    const first = await propose('?seed=7&count=2');
    expect(first).toHaveLength(2);
    expect(await propose('?seed=7&count=2')).toEqual(first);
    const all = textsOf(await propose('?count=50'));
    expect(all).toHaveLength(2);
    expect(all.join()).toMatch(/days can I return.*steel/s);
  });

  test('are of the last 90 days', async () => {
    const { ask, propose } = await openShop();
    const { message_id } = await ask('At what time does the shop open?');
    const before = new Date(runtime.clock.now().getTime() - 91 * 86_400_000);
    await database.updateTable('message').set({ created_at: before }).where('id', '=', message_id).execute();
    expect(await propose()).toEqual([]);
  });
});

describe('a decision about a proposal', () => {
  test('right expects the document of the answer, nothing no answer, skip makes no question; none is proposed again', async () => {
    const { ask, propose, decide, call, document } = await openShop();
    const right = (await ask('Within how many days can I return a box?')).message_id;
    const nothing = (await ask('Do you sell ladders made of steel?')).message_id;
    const skipped = (await ask('At what time does the shop open?')).message_id;
    const made = (await decide(right, 'right')).json();
    await decide(nothing, 'nothing');
    expect((await decide(skipped, 'skip')).json()).toEqual({ question_id: null });
    // A second click changes nothing.
    expect((await decide(right, 'right')).json()).toEqual(made);
    expect(await propose()).toEqual([]);
    const { questions, total } = (await call('GET')).json();
    expect(total).toBe(2);
    expect(questions).toMatchObject([
      { origin: 'sampled', expects: 'nothing', document_id: null },
      { id: made.question_id, origin: 'sampled', expects: 'answer', document_id: document.id },
    ]);
    // The decision outlives its test question.
    await call('DELETE', `/${made.question_id}`);
    expect(await propose()).toEqual([]);
  });

  test('404: right without a document that is still there; an answer of another workspace; small talk', async () => {
    const { ask, decide } = await openShop();
    const other = await openShop();
    const none = (await ask('Do you sell ladders made of steel?')).message_id;
    expect((await decide(none, 'right')).json().code).toBe('document_not_found');
    expect((await other.decide(none, 'skip')).json().code).toBe('message_not_found');
    const talk = (await ask('Hello!')).message_id;
    expect((await decide(talk, 'skip')).json().code).toBe('message_not_found');
  });

  test('403: a viewer sees no proposals and decides about none', async () => {
    const { workspace, path, ask } = await openShop();
    const { message_id } = await ask('At what time does the shop open?');
    const vic = await signInPerson(server, {
      email: 'vera@shop.example',
      role: 'viewer',
      ownerId: workspace.owner,
    });
    const at = `/admin/v1${path}/test-questions/proposals`;
    expect((await vic.call('GET', at)).statusCode).toBe(403);
    expect((await vic.call('PUT', `${at}/${message_id}`, { decision: 'skip' })).statusCode).toBe(403);
  });
});
