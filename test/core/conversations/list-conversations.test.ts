import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { KeyFilters } from '../../../core/conversations/list/filters.ts';
import { storeFeedback } from '../../../core/conversations/messages/feedback.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

describe.each(testEngines)('a list of conversations on %s', async (engine) => {
  const { database, inbox, say, pass, time, alter, makeWorkspace, user } = await openTestInbox(engine);

  interface Asked {
    readonly limit?: number;
    readonly cursor?: string | null;
    readonly filters?: KeyFilters;
  }
  const list = async (workspace: Workspace, { limit = 100, cursor, filters = {} }: Asked = {}) => {
    const page = { limit, cursor: cursor ?? undefined };
    const { items, nextCursor } = await inbox.list({ workspace, filters, page });
    return { ids: items.map(({ id }) => id), nextCursor };
  };
  const sayIn = async (workspace: Workspace, turn: Parameters<typeof say>[0] = {}) => {
    pass(1);
    return say({ workspaceId: workspace.id, ...turn });
  };

  test('starts with the latest activity, whenever the conversation started', async () => {
    const workspace = await makeWorkspace();
    const [one, two] = [await sayIn(workspace), await sayIn(workspace)];
    await sayIn(workspace, { conversationId: one });
    expect((await list(workspace)).ids).toEqual([one, two]);
  });

  test('shows conversations once each if their times differ by a microsecond or not at all', async () => {
    const workspace = await makeWorkspace();
    const ids = [];
    for (const micros of ['100', '101', '102', '102', '102', '103', '103']) {
      const id = await sayIn(workspace);
      await alter(id, { last_message_at: sql`${`2020-02-01T10:00:00.000${micros}Z`}::timestamptz` });
      ids.push(id);
    }
    const { ids: all } = await list(workspace);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list(workspace, { limit: 2, cursor: cursor ?? null });
      seen.push(...page.ids);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all);
    expect([...seen].sort()).toEqual(ids.sort());
  });

  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('say', 'delete'), which: fc.nat(11) }),
    fc.record({ kind: fc.constant('begin'), which: fc.constant(0) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
  const pages = fc.array(
    fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      steps: fc.array(fc.tuple(fc.nat(60_000), step)),
    }),
    { minLength: 14, maxLength: 14 },
  );

  /** Makes changes between two pages. The ids of deleted conversations are added to `gone`. */
  async function happen(
    workspace: Workspace,
    { kind, which }: Step,
    ids: readonly string[],
    gone: Set<string>,
  ) {
    const conversationId = ids[which] ?? '';
    if (kind === 'begin') await sayIn(workspace);
    else if (gone.has(conversationId)) return;
    else if (kind === 'say') await sayIn(workspace, { conversationId });
    else {
      await inbox.delete(user, conversationId);
      gone.add(conversationId);
    }
  }

  test('keeps the order of the first page despite messages, new conversations and deletions in between', async () => {
    const property = fc.asyncProperty(pages, async (walk) => {
      const workspace = await makeWorkspace();
      const ids: string[] = [];
      for (let count = 0; count < 12; count += 1) {
        pass(count * 2_000);
        ids.push(await sayIn(workspace));
      }
      const { ids: before } = await list(workspace);
      const [gone, seen]: [Set<string>, string[]] = [new Set(), []];
      let cursor: string | null = null;
      for (const { limit, steps } of walk) {
        const page = await list(workspace, { limit, cursor });
        seen.push(...page.ids);
        cursor = page.nextCursor;
        if (cursor === null) break;
        for (const [ms, one] of steps) {
          pass(ms);
          await happen(workspace, one, ids, gone);
        }
      }
      expect(seen).toEqual(before.filter((id) => seen.includes(id)));
      expect(before.filter((id) => !seen.includes(id) && !gone.has(id))).toEqual([]);
    });
    await fc.assert(property, { numRuns: engine === 'embedded' ? 15 : 40 });
  });

  test.runIf(engine === 'postgres')(
    'keeps a conversation in its page if a question was being stored while the first page was read',
    async () => {
      const workspace = await makeWorkspace();
      const ids = [await sayIn(workspace), await sayIn(workspace), await sayIn(workspace)];
      const [moved = '', ...later] = ids;
      const gate = await database.pool.connect();
      await gate.query('select pg_advisory_lock(1)');
      const turn = say({ workspaceId: workspace.id, conversationId: moved }, () => ({
        kind: { name: 'waiting', columns: {}, expression: 'pg_advisory_xact_lock(1)::text' },
        values: {},
        errorOf: (error) => error,
      }));
      const waiting = "select from pg_locks where locktype = 'advisory' and objid = 1 and not granted";
      await expect.poll(async () => (await gate.query(waiting)).rows.length).toBe(1);
      pass(1);
      await sayIn(workspace, { conversationId: later[1] ?? '' });
      const first = await list(workspace, { limit: 1 });
      await gate.query('select pg_advisory_unlock(1)');
      gate.release();
      await turn;
      const second = await list(workspace, { limit: 5, cursor: first.nextCursor });
      expect([...first.ids, ...second.ids]).toEqual([later[1], later[0], moved]);
    },
  );

  test('rejects a cursor of another workspace or other filters', async () => {
    const [workspace, other] = [await makeWorkspace(), await makeWorkspace()];
    await sayIn(workspace);
    await sayIn(workspace);
    const { nextCursor: cursor } = await list(workspace, { limit: 1 });
    expect((await list(workspace, { limit: 7, cursor })).ids).toHaveLength(1);
    const refusal = { code: 'invalid_cursor' };
    await expect(list(other, { cursor })).rejects.toMatchObject(refusal);
    await expect(list(workspace, { cursor, filters: { status: ['open'] } })).rejects.toMatchObject(refusal);
    await expect(list(workspace, { cursor, filters: { tag: ['vip'] } })).rejects.toMatchObject(refusal);
  });

  test('finds exactly the conversations with messages, changes or ratings since a time', async () => {
    const workspace = await makeWorkspace();
    const [silent, spoken, changed, judged] = [
      await sayIn(workspace),
      await sayIn(workspace),
      await sayIn(workspace),
      await sayIn(workspace),
    ];
    pass(1);
    const then = time.now.toISOString();
    const updated = async () => (await list(workspace, { filters: { updated_since: then } })).ids.toSorted();
    expect(await updated()).toEqual([]);
    await inbox.change(user, changed, { priority: 'high' });
    expect(await updated()).toEqual([changed]);
    await sayIn(workspace, { conversationId: spoken });
    const said = await inbox.messages(user, judged, { limit: 5, cursor: undefined, order: 'asc' });
    const messageId = said.items.find(({ role }) => role === 'assistant')?.id ?? '';
    const opinion = {
      workspaceId: workspace.id,
      conversationId: judged,
      messageId,
      value: 'up',
      comment: null,
    } as const;
    const given = await database.kysely
      .transaction()
      .execute((transaction) => storeFeedback(transaction, { ...opinion, now: new Date(time.now) }));
    expect(given).not.toBeNull();
    expect(await updated()).toEqual([spoken, changed, judged].sort());
    expect((await list(workspace)).ids).toContain(silent);
  });

  describe('with filters', async () => {
    const workspace = await makeWorkspace({ sla: { first_response_minutes: 525_600 } });
    const other = await makeWorkspace();
    const customer = { email: 'Jane+1@Example.com', emailVerified: false, name: 'Jane', phone: null };
    const refund = await sayIn(workspace, {
      question: 'When are refunds paid?',
      channel: 'widget',
      customer,
    });
    const middle = new Date(time.now);
    const around = (ms: number) => new Date(middle.getTime() + ms).toISOString();
    const parcel = await sayIn(workspace, { question: 'Where is my parcel?', channel: 'email' });
    await sayIn(workspace, { question: 'And when is it paid?', conversationId: parcel });
    const elsewhere = await sayIn(other, { question: 'When are refunds paid?', customer });
    await inbox.change(user, refund, { tags: ['vip', 'billing'], status: 'escalated' });
    await inbox.change(user, parcel, { tags: ['vip'] });
    await inbox.change(user, elsewhere, { tags: ['vip', 'billing'] });

    const filters: readonly [string, KeyFilters, readonly string[]][] = [
      ['none', {}, [parcel, refund]],
      ['a channel', { channel: ['widget'] }, [refund]],
      ['a status', { status: ['escalated'] }, [refund]],
      ['a tag', { tag: ['vip'] }, [parcel, refund]],
      ['two tags', { tag: ['billing', 'vip'] }, [refund]],
      ['a tag without conversations', { tag: ['vip', 'VIP'] }, []],
      ['started after', { since: middle.toISOString() }, [parcel]],
      ['started before', { until: middle.toISOString() }, []],
      ['started between', { since: around(-1), until: around(1) }, [refund]],
      ['a word in another form', { q: 'refund' }, [refund]],
      ['words in any order', { q: 'paid WHEN' }, [parcel, refund]],
      ['words of an answer', { q: 'thirty' }, [parcel, refund]],
      ['words of different messages', { q: 'parcel paid' }, []],
      ['no word', { q: '?!' }, []],
      ['words within a tag', { q: 'paid', tag: ['billing'] }, [refund]],
      ['words within dates', { q: 'paid', since: middle.toISOString() }, [parcel]],
      ['words within a tag and dates', { q: 'paid', tag: ['billing'], since: middle.toISOString() }, []],
      ['an address in another case', { email: 'jane+1@example.COM' }, [refund]],
      ['an unknown address', { email: 'jane@example.com' }, []],
      ['an SLA kept', { sla_state: 'in_compliance' }, [parcel, refund]],
      ['an SLA broken', { sla_state: 'breached' }, []],
      [
        'all at once',
        {
          channel: ['widget'],
          status: ['escalated'],
          tag: ['vip'],
          since: new Date(0).toISOString(),
          until: around(1),
          q: 'refund',
          email: customer.email,
          sla_state: 'in_compliance',
        },
        [refund],
      ],
    ];
    test.each(filters)('%s', async (_, wanted, ids) => {
      expect((await list(workspace, { filters: wanted })).ids).toEqual(ids);
    });

    test('applies the filters to every page', async () => {
      const wanted = { tag: ['vip'], q: 'paid' };
      const first = await list(workspace, { limit: 1, filters: wanted });
      await sayIn(workspace, { question: 'Not tagged, but paid' });
      const second = await list(workspace, { limit: 1, cursor: first.nextCursor, filters: wanted });
      expect([first.ids, second.ids, second.nextCursor]).toEqual([[parcel], [refund], null]);
    });
  });
});
