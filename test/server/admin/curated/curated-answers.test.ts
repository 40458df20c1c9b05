import { describe, expect, test } from 'vitest';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { operate, makeWorkspace, addDocument, runtime, query } = server;
const stores = { ...runtime, database: runtime.database.kysely };

/** A workspace with one document, and calls below its path. */
async function openShop() {
  const workspace = await makeWorkspace({ settings: { audiences: ['trade'] } });
  await addDocument(workspace.id, '# Returns\n\nYou can return a box within 30 days.');
  const path = `/workspaces/${workspace.id}`;
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', below = '', body?: object) =>
    operate(method, `${path}/curated-answers${below}`, body);
  /** Stores an answer and indexes it, as the worker does. */
  const write = async (body: object) => {
    const response = await call('POST', '', body);
    await ingestDocument(stores, response.json().id);
    return response.json();
  };
  const change = async (id: string, body: object) => {
    const response = await call('PATCH', `/${id}`, body);
    await ingestDocument(stores, id);
    return response;
  };
  const ask = async (text: string, audience: string[] = []) =>
    (await operate('POST', `${path}/ask`, { query: text, audience })).json();
  return { workspace, path, call, write, change, ask };
}

const invoice = {
  question: 'Can I pay by invoice?',
  phrasings: ['Do you take purchase orders?'],
  answer: 'Yes, from your **second** order on.',
};

describe('a curated answer', () => {
  test('answers its question and its phrasings, with a citation and without its other phrasings', async () => {
    const { write, ask, call } = await openShop();
    const { id } = await write(invoice);
    for (const text of ['can i pay by INVOICE', 'Do you take purchase orders?']) {
      const answer = await ask(text);
      expect(answer).toMatchObject({ answer: expect.stringContaining('second'), tier: 'answer' });
      expect(answer.sources[0]).toMatchObject({ document_id: id, title: invoice.question, headings: [] });
      expect(answer.answer).not.toContain('purchase');
    }
    expect((await call('GET', `/${id}`)).json()).toMatchObject({ indexed: true, status: 'indexed' });
  });

  test('comes first for exactly its phrasing, even before a text that has more of the words', async () => {
    const { workspace, write, ask } = await openShop();
    await addDocument(
      workspace.id,
      '# Opening hours\n\nOpening hours of the shop: opening at nine every day.',
    );
    await write({ question: 'When can I come by?', phrasings: ['Opening hours'], answer: 'From nine.' });
    expect((await ask('opening hours!')).passages[0].title).toBe('When can I come by?');
    expect((await ask('opening hours shop every day')).passages[0].title).not.toBe('When can I come by?');
  });

  test('does not answer what it is not about', async () => {
    const { write, ask } = await openShop();
    await write(invoice);
    expect((await ask('Do you sell ladders made of steel?')).tier).toBe('none');
  });

  test('is found by its audience only', async () => {
    const { write, ask } = await openShop();
    await write({ ...invoice, audience: ['trade'] });
    expect((await ask(invoice.question)).tier).toBe('none');
    expect((await ask(invoice.question, ['trade'])).tier).toBe('answer');
  });

  test('past its date it is found no more at once, and again when the date is taken away', async () => {
    const { write, ask, call } = await openShop();
    const { id } = await write(invoice);
    await call('PATCH', `/${id}`, { valid_until: '2020-01-01' });
    const over = await ask(invoice.question);
    expect(over.passages.map(({ title }: { title: string }) => title)).not.toContain(invoice.question);
    await call('PATCH', `/${id}`, { valid_until: null });
    expect((await ask(invoice.question)).tier).toBe('answer');
  });

  test('is tried before it is stored, also in the place of the stored one', async () => {
    const { path, write, ask } = await openShop();
    const tried = async (curated: object, query = invoice.phrasings[0]) =>
      (await operate('POST', `${path}/ask`, { query, curated })).json();
    const first = await tried(invoice);
    expect(first).toMatchObject({ answer: expect.stringContaining('second'), tier: 'answer' });
    const { id } = await write(invoice);
    const stored = await ask(invoice.phrasings[0] ?? '');
    expect(first.probability).toBeCloseTo(stored.probability, 1);
    const changed = await tried({ ...invoice, answer: 'No, never.', replaces: id });
    expect(changed.answer).toBe('No, never.');
    const withheld = await tried({ ...invoice, action: 'unknown', replaces: id });
    expect(withheld.decision.curated.action).toBe('unknown');
    expect((await ask(invoice.phrasings[0] ?? '')).answer).toContain('second');
  });

  test('without a text it says that nothing is known, and is never quoted', async () => {
    const { write, change, ask } = await openShop();
    const { id } = await write({ question: 'Can I return a box?', action: 'unknown', answer: 'dropped' });
    const answer = await ask('Can I return a box?');
    expect(answer).toMatchObject({
      tier: 'none',
      sources: [],
      decision: { act: 'fall back', curated: { document_id: id, action: 'unknown' } },
    });
    expect((await ask('Within how many days can I return a box to the shop?')).answer).toContain('30 days');
    await change(id, { action: 'answer', answer: 'Yes, for free.' });
    expect((await ask('Can I return a box?')).answer).toContain('for free');
  });

  test('calls a person where it says so, and counts as a hit', async () => {
    const { workspace, write, call } = await openShop();
    const { id } = await write({ question: 'Is the sun harmful to seeds?', action: 'person' });
    const answer = (await query(workspace.key, { query: 'Is the sun harmful to seeds?' })).json();
    expect(answer.skills_fired).toContain('escalate_to_human');
    expect((await call('GET', `/${id}`)).json().hits).toBe(1);
  });

  test('is deleted, restored and audited as a document', async () => {
    const { path, call, write, ask } = await openShop();
    const { id } = await write(invoice);
    expect((await call('DELETE', `/${id}?restorable=true`)).statusCode).toBe(204);
    expect((await ask(invoice.question)).tier).toBe('none');
    expect((await call('GET')).json()).toMatchObject({ answers: [], total: 0 });
    expect((await call('POST', `/${id}/restore`)).json()).toMatchObject({ id, question: invoice.question });
    expect((await ask(invoice.question)).tier).toBe('answer');
    const { audit_log: entries } = (await operate('GET', `${path}/audit-log?limit=3`)).json();
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'document_restored',
      'document_deleted',
      'document_added',
    ]);
  });

  test('stands in its own list, and is no document to change', async () => {
    const { path, call, write } = await openShop();
    const { id } = await write(invoice);
    const { documents } = (await operate('GET', `${path}/documents`)).json();
    expect(documents.map(({ title }: { title: string }) => title)).toEqual(['Returns']);
    expect((await call('GET', '?q=PURCHASE')).json().answers).toHaveLength(1);
    expect((await call('GET', '?q=nothing')).json()).toMatchObject({ answers: [], total: 1 });
    const changed = await operate('PATCH', `${path}/documents/${id}`, { title: 'X' });
    expect([changed.statusCode, changed.json().code]).toEqual([409, 'curated_document']);
  });

  test('409: a second one for the question; 400: none without a text; 404: of another workspace; 403: a viewer', async () => {
    const { workspace, path, call, write } = await openShop();
    const other = await openShop();
    const { id } = await write(invoice);
    const codes = async (response: ReturnType<typeof call>) => {
      const { statusCode, json } = await response;
      return [statusCode, json().code];
    };
    expect(await codes(call('POST', '', { ...invoice, question: 'can I pay by invoice' }))).toEqual([
      409,
      'curated_answer_exists',
    ]);
    expect(await codes(call('POST', '', { question: 'Why?' }))).toEqual([400, 'curated_answer_without_text']);
    expect(await codes(other.call('PATCH', `/${id}`, { question: 'Why?' }))).toEqual([
      404,
      'curated_answer_not_found',
    ]);
    const vic = await signInPerson(server, {
      email: 'vic@shop.example',
      role: 'viewer',
      ownerId: workspace.owner,
    });
    expect((await vic.call('POST', `/admin/v1${path}/curated-answers`, invoice)).statusCode).toBe(403);
  });
});

describe('a file of curated answers', () => {
  test('comes out as it went in, and replaces what is there', async () => {
    const { call } = await openShop();
    const csv =
      'question;phrasings;answer;action;audience;valid_until\r\n' +
      '"Can I pay by invoice?";"Invoice?\nPurchase order";"=Yes; ""twice"".";;trade;2031-05-01\r\n' +
      'Why?;;;person;;\r\n';
    expect((await call('POST', '/import', { csv })).json()).toEqual({ added: 2, changed: 0, faults: [] });
    const file = (await call('GET', '.csv')).body;
    expect((await call('POST', '/import', { csv: file })).json()).toEqual({
      added: 0,
      changed: 2,
      faults: [],
    });
    const { answers } = (await call('GET')).json();
    expect(answers).toContainEqual(
      expect.objectContaining({
        question: 'Can I pay by invoice?',
        phrasings: ['Invoice?', 'Purchase order'],
        answer: '=Yes; "twice".',
        audience: ['trade'],
        valid_until: '2031-05-01T23:59:59.000Z',
      }),
    );
  });

  test('with a fault in any row it stores nothing and names the rows', async () => {
    const { call } = await openShop();
    const csv =
      'question,answer,action,audience,valid_until\nA,x,,vip,soon\n,x,,,\nB,,,,\nA,x,maybe,,\nC,x,,,\n';
    const { added, faults } = (await call('POST', '/import', { csv })).json();
    expect(added).toBe(0);
    expect(faults.map(({ row, code }: { row: number; code: string }) => `${row} ${code}`)).toEqual([
      '2 unknown_audience',
      '2 invalid_date',
      '3 question_missing',
      '4 answer_missing',
      '5 unknown_action',
    ]);
    expect((await call('GET')).json().total).toBe(0);
  });
});
