import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withAdvisoryLock } from '../../../../core/storage/maintenance-task.ts';
import { purgeTicketImports } from '../../../../core/tickets/purge-imports.ts';
import { runImportSlice } from '../../../../core/tickets/run-import-slice.ts';
import { requeueTicketImports } from '../../../../core/tickets/ticket-imports.ts';
import { openMailThread } from '../../../../workers/tickets/mail-thread.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { app, operate, makeWorkspace, addDocument, runtime } = server;
const address = await app.listen({ port: 0 });
const mails = openMailThread();
afterAll(() => mails.close());
const dependencies = { ...runtime, readMails: mails.read };

const imported = z
  .looseObject({ id: z.string(), state: z.string(), code: z.string().optional() })
  .partial({ id: true, state: true });

/** A ticket as Zendesk exports it. */
function ticket(id: number, question: string, reply: string) {
  return {
    id,
    created_at: `2026-03-0${1 + (id % 9)}T10:00:00Z`,
    subject: '',
    requester_id: 1,
    requester: { id: 1, name: 'Greta Meyer' },
    tags: ['shop'],
    comments: [
      { author_id: 1, body: question, created_at: '2026-03-01T10:00:00Z' },
      { author_id: 2, body: reply, created_at: '2026-03-01T11:00:00Z' },
    ],
  };
}

const agreeing = ticket(
  1,
  'Within how many days can I return a box?',
  'You can return a box within 30 days, Greta.',
);
const differing = ticket(
  2,
  'At what time does the shop open?',
  'The shop opens at ten in the morning on all days.',
);
const unknown = ticket(
  3,
  'Which paint suits a garden fence?',
  'Our blue paint suits wooden fences very well.',
);
const thanking = ticket(4, 'Thank you!', 'You are very welcome, have a lovely day there.');
const unanswered = { ...ticket(5, 'Is anybody there?', ''), comments: [] };

async function openShop() {
  const workspace = await makeWorkspace();
  await addDocument(
    workspace.id,
    '# Returns\n\nYou can return a box within 30 days.\n\n# Hours\n\nThe shop opens at nine.',
  );
  const path = `/workspaces/${workspace.id}/ticket-imports`;
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', below: string, body?: object) =>
    operate(method, `${path}${below}`, body);
  const upload = async (text: string | Uint8Array, search = '') => {
    const form = new FormData();
    form.append('file', new Blob([text]), 'export.json');
    const response = await fetch(`${address}/admin/v1${path}${search}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${runtime.installation.adminToken}` },
      body: form,
    });
    return { status: response.status, body: imported.parse(await response.json()) };
  };
  /** Uploads and works as the worker does. */
  const run = async (...tickets: readonly object[]) => {
    const { body } = await upload(JSON.stringify({ tickets }));
    await work(body.id ?? '');
    return body.id ?? '';
  };
  return { workspace, call, upload, run };
}

async function work(importId: string, signal = new AbortController().signal): Promise<void> {
  while ((await runImportSlice(dependencies, { importId, signal })) !== null);
}

describe('an import of tickets', () => {
  test('gives each first question a verdict, sends nothing, and leaves out what is no ticket', async () => {
    const { workspace, call, run } = await openShop();
    const id = await run(agreeing, differing, unknown, thanking, unanswered, agreeing);
    const shown = (await call('GET', `/${id}`)).json();
    expect(shown).toMatchObject({
      state: 'finished',
      format: 'zendesk',
      tickets: 4,
      counts: { agrees: 1, differs: 1, maybe: 0, none: 1, no_question: 1, error: 0 },
      left_out: [
        { reason: 'no_question', count: 1 },
        { reason: 'duplicate', count: 1 },
      ],
      report: { questions: 3, right_by_hand: null, sample: { size: 2, judged: 0 } },
    });
    expect(shown.report.answered.share).toBeCloseTo(0.667, 2);
    const [conversations, parts, usage] = await Promise.all(
      ['conversation', 'ticket_import_part', 'message'].map(async (table) => {
        const { rows } = await sql<{ count: string }>`
          select count(*) from ${sql.table(table)}`.execute(runtime.database.kysely);
        return Number(rows[0]?.count);
      }),
    );
    expect([conversations, parts, usage]).toEqual([0, 0, 0]);
    expect(workspace.id).toMatch(/^ws_/);
  });

  test('shows question, reply and answer side by side, masked, by verdict and in pages', async () => {
    const { call, run } = await openShop();
    const id = await run(
      agreeing,
      ticket(6, 'Can I return a box?', 'Yes, within 30 days. Mail ann@shop.example.'),
      unknown,
    );
    const { tickets } = (await call('GET', `/${id}/tickets?verdict=none`)).json();
    expect(tickets).toMatchObject([
      {
        external_id: '3',
        verdict: 'none',
        reply: 'Our blue paint suits wooden fences very well.',
        tags: ['shop'],
      },
    ]);
    const first = (await call('GET', `/${id}/tickets?limit=2`)).json();
    const second = (
      await call('GET', `/${id}/tickets?limit=2&cursor=${first.pagination.next_cursor}`)
    ).json();
    const all = [...first.tickets, ...second.tickets];
    expect(all).toHaveLength(3);
    const texts = JSON.stringify(all);
    expect(texts).toContain('within 30 days, [name].');
    expect(texts).toContain('[email]');
    expect(texts).not.toMatch(/Greta|ann@shop/);
  });

  test('is corrected by what people judged in the sample', async () => {
    const { call, run } = await openShop();
    const many = Array.from({ length: 12 }, (_, index) => ({ ...agreeing, id: 100 + index }));
    const id = await run(...many, unknown);
    const { tickets } = (await call('GET', `/${id}/unjudged`)).json();
    expect(tickets).toHaveLength(12);
    const judge = (ticketId: string, judgement: string | null) =>
      call('PUT', `/${id}/tickets/${ticketId}/judgement`, { judgement });
    for (const [index, one] of tickets.slice(0, 10).entries())
      await judge(one.id, index === 0 ? 'wrong' : 'right');
    const { report } = (await call('GET', `/${id}`)).json();
    expect(report.sample).toMatchObject({ size: 12, judged: 10, agrees: { right: 9, wrong: 1 } });
    expect(report.agrees_by_rule.share).toBeCloseTo(12 / 13, 3);
    expect(report.right_by_hand.share).toBeCloseTo((12 / 13) * 0.9, 2);
    expect(report.right_by_hand.low).toBeLessThan(report.right_by_hand.share);
    expect((await call('GET', `/${id}/unjudged`)).json().tickets).toHaveLength(2);
    expect((await judge(tickets[0].id, null)).json()).toMatchObject({ judgement: null, judged_by: null });
    const [none] = (await call('GET', `/${id}/tickets?verdict=none`)).json().tickets;
    expect((await judge(none.id, 'right')).json().code).toBe('imported_ticket_not_found');
  });

  test('409: while one is going; cancelled, it stops, and another starts', async () => {
    const { call, upload } = await openShop();
    const { body } = await upload(JSON.stringify([agreeing]));
    expect((await upload('[]')).body.code).toBe('ticket_import_running');
    expect((await call('POST', `/${body.id}/cancel`)).statusCode).toBe(204);
    await work(body.id ?? '');
    expect((await call('GET', `/${body.id}`)).json()).toMatchObject({ state: 'cancelled', tickets: 0 });
    expect((await upload(JSON.stringify([agreeing]))).status).toBe(202);
    expect((await call('GET', '')).json().imports).toHaveLength(2);
  });

  test('that was stopped anywhere goes on, reads and asks nothing twice, and a lost job is queued again', async () => {
    const { call, upload } = await openShop();
    const { body } = await upload(JSON.stringify([agreeing, differing]));
    const importId = body.id ?? '';
    const stopped = new AbortController();
    stopped.abort();
    expect(await runImportSlice(dependencies, { importId, signal: stopped.signal })).toBe(1);
    // A process that was killed while it read leaves tickets and its lease.
    await runImportSlice(dependencies, { importId, signal: new AbortController().signal });
    await runtime.database.kysely
      .updateTable('ticket_import')
      .set({ state: 'reading', held_until: new Date(Date.now() + 60_000) })
      .where('id', '=', importId)
      .execute();
    expect(await runImportSlice(dependencies, { importId, signal: stopped.signal })).toBeNull();
    await sql`update ticket_import set state = 'answering', held_until = now() - interval '1 minute',
      created_at = now() - interval '1 hour' where id = ${importId}`.execute(runtime.database.kysely);
    const queued: string[] = [];
    const queue = { add: async (_: string, id: string) => void queued.push(id) };
    await requeueTicketImports({ ...runtime, database: runtime.database.kysely, queue }, new Date());
    expect(queued.filter((id) => id.startsWith(importId))).toHaveLength(1);
    await work(importId);
    const shown = (await call('GET', `/${importId}`)).json();
    expect(shown).toMatchObject({ state: 'finished', tickets: 2, counts: { agrees: 1, differs: 1 } });
  });

  test('fails with a reason for a file of another kind, and for one without tickets', async () => {
    const { call, upload } = await openShop();
    for (const [text, failure] of [
      ['a;b\n1;2', 'unknown_format'],
      ['[{"a":1}]', 'unknown_format'],
      [JSON.stringify([unanswered]), 'no_tickets'],
    ]) {
      const { body } = await upload(text ?? '');
      await work(body.id ?? '');
      expect((await call('GET', `/${body.id}`)).json()).toMatchObject({ state: 'failed', failure });
    }
    expect((await upload('')).body.code).toBe('invalid_file');
    expect((await upload('[]', '?model=x')).body.code).toBe('unknown_model');
  });

  test('reads a mailbox in a thread, and leaves out a mail of a machine', async () => {
    const { call, upload } = await openShop();
    const mail = (headers: string, text: string) =>
      `From x Mon Mar  2 10:00:00 2026\n${headers}\n\n${text}\n\n`;
    const archive = [
      mail(
        'Message-ID: <a@x>\nFrom: Greta <greta@x.example>\nSubject: Box',
        'Can I return a box?\n-- \nGreta',
      ),
      mail(
        'Message-ID: <b@s>\nIn-Reply-To: <a@x>\nFrom: Ben <help@shop.example>\nSubject: Re: Box',
        'You can return a box within 30 days.\n\nOn Monday, 2 March 2026 Greta wrote:\n> Can I return a box?',
      ),
      mail('Message-ID: <c@y>\nFrom: Robot <no-reply@y.example>\nSubject: News', 'Buy now.'),
    ].join('');
    const { body } = await upload(archive);
    await work(body.id ?? '');
    expect((await call('GET', `/${body.id}`)).json()).toMatchObject({
      format: 'mbox',
      state: 'finished',
      tickets: 1,
      counts: { agrees: 1 },
      left_out: [{ reason: 'automatic', count: 1 }],
    });
    const { tickets } = (await call('GET', `/${body.id}/tickets`)).json();
    expect(tickets[0]).toMatchObject({
      question: 'Box\n\nCan I return a box?',
      reply: 'You can return a box within 30 days.',
    });
  });

  test('is deleted with everything, by hand and after its time; 404 from another workspace; 403 for a viewer', async () => {
    const one = await openShop();
    const other = await openShop();
    const [id, kept] = [await one.run(agreeing), await one.run(differing)];
    expect((await other.call('GET', `/${id}`)).json().code).toBe('ticket_import_not_found');
    expect((await other.call('GET', `/${id}/tickets`)).json().code).toBe('ticket_import_not_found');
    expect((await other.call('DELETE', `/${id}`)).json().code).toBe('ticket_import_not_found');
    const vic = await signInPerson(server, {
      email: 'vic@shop.example',
      role: 'viewer',
      ownerId: one.workspace.owner,
    });
    const path = `/admin/v1/workspaces/${one.workspace.id}/ticket-imports/${id}`;
    expect((await vic.call('POST', `${path}/cancel`)).statusCode).toBe(403);
    expect((await one.call('DELETE', `/${id}`)).statusCode).toBe(204);
    const database = runtime.database.kysely;
    const left = () =>
      database.selectFrom('imported_ticket').select('id').where('import_id', 'in', [id, kept]).execute();
    expect(await left()).toHaveLength(1);
    const later = new Date(Date.now() + 91 * 24 * 3_600_000);
    await withAdvisoryLock(database, (transaction) => purgeTicketImports({ transaction, now: later }));
    expect(await left()).toHaveLength(0);
  });
});
