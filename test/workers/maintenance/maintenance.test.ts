import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { Documents } from '../../../core/knowledge/documents/documents.ts';
import { openQueue } from '../../../core/queue/queue.ts';
import { runMaintenance } from '../../../workers/maintenance/worker.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

const dayMs = 24 * 3_600_000;
const log = createLog('silent');
const connectors = { connectors: [], findConnector: () => undefined };

describe.each(testEngines)('maintenance on %s', async (engine) => {
  const { inbox, say, pass, time, clock, user, workspace, makeWorkspace, workspaces, database, alter, join } =
    await openTestInbox(engine);
  const { kysely } = database;
  const queue = await openQueue({ pool: database.pool, redis: undefined }, log);
  afterAll(() => queue.close());
  const tidy = (signal = new AbortController().signal) =>
    runMaintenance({ database, clock, queue, log, connectors }, signal);

  const remaining = async (...ids: string[]) => {
    const rows = await kysely.selectFrom('conversation').select('id').where('id', 'in', ids).execute();
    return ids.filter((id) => rows.some((row) => row.id === id));
  };
  const countOf = async (table: 'message' | 'note' | 'audit_entry', id: string) =>
    (await kysely.selectFrom(table).select('id').where('conversation_id', '=', id).execute()).length;

  describe('retention', () => {
    test.each([
      ['free', 7],
      ['starter', 30],
      ['growth', 90],
      ['business', 365],
      ['enterprise', 365],
    ] as const)('the plan %s deletes a conversation %i days after its last message', async (plan, days) => {
      const { workspace: own } = await workspaces.create({ name: 'Test', plan });
      const [quiet, lively] = [await say({ workspaceId: own.id }), await say({ workspaceId: own.id })];
      pass(1);
      await say({ workspaceId: own.id, conversationId: lively });
      pass(days * dayMs - 1);
      await tidy();
      expect(await remaining(quiet, lively)).toEqual([quiet, lively]);
      pass(1);
      await tidy();
      expect(await remaining(quiet, lively)).toEqual([lively]);
    });

    test('a workspace can shorten the retention, and an earlier higher plan does not matter', async () => {
      const own = await makeWorkspace({ retention_days: 3 });
      const { workspace: lowered } = await workspaces.create({
        name: 'Test',
        plan: 'growth',
        settings: { retention_days: 80 },
      });
      await workspaces.update(lowered.id, { plan: 'starter' });
      const [short, long] = [await say({ workspaceId: own.id }), await say({ workspaceId: lowered.id })];
      pass(3 * dayMs + 1);
      await tidy();
      expect(await remaining(short, long)).toEqual([long]);
      pass(27 * dayMs);
      await tidy();
      expect(await remaining(long)).toEqual([]);
    });

    test('messages and notes are deleted with their conversation, audit entries stay and record the deletion', async () => {
      const id = await say();
      await inbox.addNote(user, id, { content: 'Ask again.' });
      pass(31 * dayMs);
      await tidy();
      expect([await countOf('message', id), await countOf('note', id)]).toEqual([0, 0]);
      const { items } = await inbox.auditLog(workspace.id, id, { limit: 10 });
      expect(items).toMatchObject([
        {
          action: 'deleted',
          actor: 'retention',
          at: time.now,
          details: { status: 'open', message_count: 2 },
        },
        { action: 'note_added', actor: 'Website' },
      ]);
    });

    test('more than one batch is deleted in a round, once each, by two concurrent processes', async () => {
      const own = await makeWorkspace({ retention_days: 1 });
      await sql`
        insert into conversation (id, workspace_id, channel, started_at, last_message_at)
        select 'conv_old_' || number, ${own.id}, 'api', ${time.now}::timestamptz, ${time.now}::timestamptz
        from generate_series(1, 450) number
      `.execute(kysely);
      pass(2 * dayMs);
      await Promise.all([tidy(), tidy()]);
      await tidy();
      const entries = await kysely
        .selectFrom('audit_entry')
        .select(({ fn }) => [
          fn.countAll<string>().as('all'),
          fn.count<string>('conversation_id').distinct().as('each'),
        ])
        .where('workspace_id', '=', own.id)
        .executeTakeFirst();
      expect(entries).toEqual({ all: '450', each: '450' });
      const left = await kysely
        .selectFrom('conversation')
        .select('id')
        .where('workspace_id', '=', own.id)
        .execute();
      expect(left).toEqual([]);
    });

    test('a stopped round leaves the rest to the next one', async () => {
      const own = await makeWorkspace({ retention_days: 1 });
      const id = await say({ workspaceId: own.id });
      pass(2 * dayMs);
      await tidy(AbortSignal.abort());
      expect(await remaining(id)).toEqual([id]);
      await tidy();
      expect(await remaining(id)).toEqual([]);
    });
  });

  test('a snoozed conversation is reopened on time, with an audit entry', async () => {
    const id = await say();
    const snoozeUntil = new Date(time.now.getTime() + 60_000);
    await inbox.change(user, id, { status: 'snoozed', snoozeUntil });
    pass(59_999);
    await tidy();
    expect((await inbox.get(user, id)).status).toBe('snoozed');
    pass(1);
    await tidy();
    const view = await inbox.get(user, id);
    expect(view).toMatchObject({ status: 'open', snoozeUntil: null });
    expect(view.auditLog.at(-1)).toMatchObject({
      action: 'status_changed',
      actor: 'snooze',
      details: { from: 'snoozed', to: 'open' },
    });
  });

  test('the data of a deleted workspace is deleted after some minutes, and then the workspace', async () => {
    const { workspace: own } = await workspaces.create({ name: 'Gone' });
    const id = await say({ workspaceId: own.id });
    await inbox.delete({ ...user, ownerId: own.owner }, await say({ workspaceId: own.id }));
    await workspaces.delete(own.id);
    pass(60_000);
    await tidy();
    expect(await remaining(id)).toEqual([id]);
    pass(5 * 60_000);
    await tidy();
    expect(await remaining(id)).toEqual([]);
    const row = await kysely.selectFrom('workspace').select('id').where('id', '=', own.id).executeTakeFirst();
    expect(row).toBeUndefined();
  });

  test('documents of a deleted workspace are left to the ingest worker', async () => {
    const { workspace: own } = await workspaces.create({ name: 'Gone' });
    const documents = new Documents({ database: kysely, clock, wake: async () => {} });
    await documents.add({ workspaceId: own.id, bytes: Buffer.from('Text.') });
    await workspaces.delete(own.id);
    pass(5 * 60_000 + 1);
    await tidy();
    const woken = (await queue.depths()).find(({ name }) => name === 'ingest');
    expect(woken?.counts.waiting).toBe(1);
  });

  test('stored responses and buckets are deleted after a day, newer ones stay', async () => {
    const { processes } = await join();
    const key = await sql<{ id: string }>`
      insert into api_key (id, workspace_id, name, key_hash, key_ending, rate_limit_minute, rate_limit_day, created_at)
      values (${`key_${engine}`}, ${workspace.id}, 'Key', ${`hash ${engine}`}, 'abcd', 60, 1000, now()) returning id
    `.execute(kysely);
    const store = async (name: string) => {
      await sql`
        insert into idempotent_request (key_id, idempotency_key, request_hash, claim, process_id, created_at)
        values (${key.rows[0]?.id}, ${name}, 'hash', ${`claim of ${name}`}, ${processes.id}, ${time.now})
      `.execute(kysely);
      await sql`insert into token_bucket values (${name}, 3, ${time.now})`.execute(kysely);
    };
    await store('old');
    pass(1_000);
    await store('young');
    pass(dayMs - 999);
    await tidy();
    const requests = await sql`select idempotency_key as name from idempotent_request`.execute(kysely);
    const buckets = await sql`select name from token_bucket`.execute(kysely);
    expect([requests.rows, buckets.rows]).toEqual([[{ name: 'young' }], [{ name: 'young' }]]);
    await processes.close();
  });

  test('requests in flight of processes without a heartbeat for a minute are released', async () => {
    const [dead, live] = [await join(), await join()];
    for (const { processes } of [dead, live]) {
      await sql`insert into key_in_flight values (${`key_${engine}`}, ${processes.id}, 2, 1)`.execute(kysely);
    }
    await sql`update process set seen_at = now() - interval '61 seconds' where id = ${dead.processes.id}`.execute(
      kysely,
    );
    await tidy();
    const held = await kysely.selectFrom('key_in_flight').select('process_id').execute();
    expect(held).toEqual([{ process_id: live.processes.id }]);
    const known = await kysely.selectFrom('process').select('id').execute();
    expect(known).toEqual([{ id: live.processes.id }]);
    for (const { processes } of [dead, live]) await processes.close();
  });

  test('a failing task does not stop the others', async () => {
    const id = await say();
    await inbox.change(user, id, { status: 'snoozed', snoozeUntil: new Date(time.now.getTime() + 1_000) });
    const old = await say();
    await alter(old, { last_message_at: new Date(0) });
    await sql`alter table audit_entry add constraint refusal check (actor <> 'snooze') not valid`.execute(
      kysely,
    );
    pass(2_000);
    await tidy();
    await sql`alter table audit_entry drop constraint refusal`.execute(kysely);
    expect((await inbox.get(user, id)).status).toBe('snoozed');
    expect(await remaining(old)).toEqual([]);
    await tidy();
    expect((await inbox.get(user, id)).status).toBe('open');
  });

  test('a previous secret is deleted after its grace period, and not before', async () => {
    const { workspace: own } = await workspaces.create({ name: 'Rotated' });
    await workspaces.rotateIdentitySecret(own.id, { graceSeconds: 60 });
    await workspaces.rotatePublicToken(own.id, { graceSeconds: 600 });
    const kept = () =>
      kysely
        .selectFrom('workspace')
        .select(['previous_identity_secret_encrypted as secret', 'previous_public_token as token'])
        .where('id', '=', own.id)
        .executeTakeFirstOrThrow();
    await tidy();
    expect(await kept()).toEqual({ secret: expect.any(String), token: expect.any(String) });
    pass(60_000);
    await tidy();
    expect(await kept()).toEqual({ secret: null, token: expect.any(String) });
    pass(540_000);
    await tidy();
    expect(await kept()).toEqual({ secret: null, token: null });
  });
});
