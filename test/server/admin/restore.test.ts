import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { purgeDeleted } from '../../../core/storage/restorable.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('deletions that can be taken back on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { operate, query, makeWorkspace, runtime, app } = await openTestServer({ runtime: { environment } });
  const database = runtime.database.kysely;
  const workspace = await makeWorkspace({ plan: 'growth' });
  const path = `/workspaces/${workspace.id}`;
  const own = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', below: string, payload?: object) =>
    operate(method, `${path}${below}`, payload);
  const rowsOf = async (statement: RawBuilder<Record<string, unknown>>) =>
    (await statement.execute(database)).rows;
  const audited = async () => {
    const { rows } = await sql<{ action: string }>`
      select action from audit_entry where workspace_id = ${workspace.id} order by at desc, id desc limit 2
    `.execute(database);
    return rows.map(({ action }) => action);
  };
  /** Moves the end of the time for a restoration to the past. */
  const letTimePass = async () => {
    for (const table of ['webhook', 'http_skill', 'snippet', 'removed_tag']) {
      await sql`
        update ${sql.table(table)} set restorable_until = now() - interval '1 second'
        where restorable_until is not null
      `.execute(database);
    }
  };
  const purge = () =>
    database.transaction().execute((transaction) => purgeDeleted({ transaction, now: new Date() }));
  const makeSkill = async (name: string) => {
    const address = { url: 'https://shop.example/orders', parameters: { type: 'object', properties: {} } };
    return (await own('POST', '/skills', { name, description: 'Looks up an order.', ...address })).json();
  };

  test('a webhook comes back with its secrets, its switch and its deliveries, as it was', async () => {
    const address = { url: 'https://shop.example/hook', events: ['*'] };
    const { id } = (await own('POST', '/webhooks', address)).json();
    await own('POST', `/webhooks/${id}/rotate`, { grace_seconds: 3_600 });
    await own('POST', `/webhooks/${id}/test`);
    const rows = () =>
      Promise.all([
        rowsOf(sql`select * from webhook where id = ${id}`),
        rowsOf(sql`select * from webhook_delivery where webhook_id = ${id}`),
      ]);
    const before = await rows();
    expect((await own('DELETE', `/webhooks/${id}?restorable=true`)).statusCode).toBe(204);
    expect((await own('GET', '/webhooks')).json().webhooks).toEqual([]);
    for (const [method, below] of [
      ['DELETE', ''],
      ['PATCH', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/rotate'],
    ] as const) {
      const body =
        method === 'PATCH' ? { enabled: true } : below === '/rotate' ? { grace_seconds: 0 } : undefined;
      const refused = await own(method, `/webhooks/${id}${below}`, body);
      expect([method, below, refused.json().code]).toEqual([method, below, 'webhook_not_found']);
    }
    // Events of the meantime are not stored for it.
    await query(workspace.key, { query: 'Do you sell socks?' });
    expect((await rows())[1]).toEqual(before[1]);
    const restored = await own('POST', `/webhooks/${id}/restore`);
    expect([restored.statusCode, restored.json()]).toMatchObject([200, { id, enabled: true }]);
    expect(await rows()).toEqual(before);
    expect(await audited()).toEqual(['webhook_restored', 'webhook_deleted']);
    expect((await own('POST', `/webhooks/${id}/restore`)).json().code).toBe('webhook_not_found');
  });

  test('a webhook that was disabled comes back disabled, with its reason', async () => {
    const address = { url: 'https://shop.example/off', events: ['*'] };
    const { id } = (await own('POST', '/webhooks', address)).json();
    await own('PATCH', `/webhooks/${id}`, { enabled: false });
    const before = await rowsOf(sql`select * from webhook where id = ${id}`);
    await own('DELETE', `/webhooks/${id}?restorable=true`);
    await own('POST', `/webhooks/${id}/restore`);
    expect(await rowsOf(sql`select * from webhook where id = ${id}`)).toEqual(before);
    await own('DELETE', `/webhooks/${id}`);
  });

  test('a skill comes back with its secret, and its name is free meanwhile', async () => {
    const { id } = await makeSkill('order_status');
    const row = () => rowsOf(sql`select * from http_skill where id = ${id}`);
    const calls = async () => rowsOf(sql`select own_skills from workspace where id = ${workspace.id}`);
    const before = await row();
    await own('DELETE', `/skills/${id}?restorable=true`);
    expect((await own('GET', '/skills')).json().skills).toEqual([]);
    expect((await own('GET', `/skills/${id}`)).json().code).toBe('skill_not_found');
    expect(await calls()).toEqual([{ own_skills: false }]);
    const other = await makeSkill('order_status');
    expect((await own('POST', `/skills/${id}/restore`)).json().code).toBe('skill_name_taken');
    await own('DELETE', `/skills/${other.id}`);
    expect((await own('POST', `/skills/${id}/restore`)).json()).toMatchObject({ id, name: 'order_status' });
    expect(await row()).toEqual(before);
    expect(await calls()).toEqual([{ own_skills: true }]);
  });

  test('a snippet comes back whole, unless another one has its name', async () => {
    const words = { name: 'Hours', text: 'From 9 to 5.', tags: ['shop'] };
    const made = (await own('POST', '/snippets', words)).json();
    await own('DELETE', `/snippets/${made.id}?restorable=true`);
    expect((await own('GET', '/snippets?q=hours')).json().snippets).toEqual([]);
    expect((await own('PATCH', `/snippets/${made.id}`, { text: 'x' })).json().code).toBe('snippet_not_found');
    const other = (await own('POST', '/snippets', words)).json();
    expect((await own('POST', `/snippets/${made.id}/restore`)).json().code).toBe('snippet_name_taken');
    await own('DELETE', `/snippets/${other.id}`);
    expect((await own('POST', `/snippets/${made.id}/restore`)).json()).toEqual(made);
    expect((await own('GET', '/snippets')).json().snippets).toEqual([made]);
  });

  test('a removed tag comes back where it was, in conversations and snippets of this workspace alone', async () => {
    const other = await makeWorkspace();
    const tag = async (key: string, tags: readonly string[]) => {
      const { conversation_id: id } = (await query(key, { query: 'Do you sell socks?' })).json();
      const headers = { authorization: `Bearer ${key}` };
      const url = `/v1/conversations/${id}`;
      await app.inject({ method: 'PATCH', url, headers, payload: { tags } });
      return id;
    };
    await tag(workspace.key, ['vip', 'refund', 'urgent']);
    const again = await tag(workspace.key, ['refund']);
    await tag(other.key, ['refund']);
    await own('POST', '/snippets', { name: 'Refund', text: 'Soon.', tags: ['refund', 'a'] });
    const places = () =>
      rowsOf(sql`
        select id, tags from conversation union all select id, tags from snippet order by id
      `);
    const before = await places();
    const removed = await own('POST', '/tags/remove', { tag: 'refund', restorable: true });
    expect(removed.json()).toEqual({ conversations: 2 });
    expect((await own('GET', '/tags')).json().tags.map((each: { tag: string }) => each.tag)).toEqual([
      'urgent',
      'vip',
    ]);
    expect((await operate('GET', `/workspaces/${other.id}/tags`)).json().tags).toHaveLength(1);
    expect(
      (await operate('POST', `/workspaces/${other.id}/tags/restore`, { tag: 'refund' })).json().code,
    ).toBe('tag_not_found');
    // An agent sets it again meanwhile: it is not there twice.
    await sql`update conversation set tags = '{refund}' where id = ${again}`.execute(database);
    expect((await own('POST', '/tags/restore', { tag: 'refund' })).json()).toEqual({ conversations: 1 });
    expect(await places()).toEqual(before);
    expect(await audited()).toEqual(['tag_restored', 'tag_removed']);
    expect((await own('POST', '/tags/restore', { tag: 'refund' })).json().code).toBe('tag_not_found');
  });

  test('after a minute nothing can be restored, and maintenance deletes what is left', async () => {
    const hook = (await own('POST', '/webhooks', { url: 'https://shop.example/late', events: ['*'] })).json();
    await own('POST', `/webhooks/${hook.id}/test`);
    const skill = await makeSkill('late');
    const snippet = (await own('POST', '/snippets', { name: 'Late', text: 'x', tags: ['late'] })).json();
    await own('POST', '/tags/remove', { tag: 'late', restorable: true });
    const things = [`/webhooks/${hook.id}`, `/skills/${skill.id}`, `/snippets/${snippet.id}`];
    for (const thing of things) await own('DELETE', `${thing}?restorable=true`);
    expect(await purge()).toBe(0);
    await letTimePass();
    for (const thing of things) expect((await own('POST', `${thing}/restore`)).statusCode).toBe(404);
    expect((await own('POST', '/tags/restore', { tag: 'late' })).statusCode).toBe(404);
    await purge();
    const left = await rowsOf(sql`
      select id from webhook where id = ${hook.id} union all
      select id from webhook_delivery where webhook_id = ${hook.id} union all
      select id from http_skill where id = ${skill.id} union all
      select id from snippet where id = ${snippet.id} union all
      select tag from removed_tag
    `);
    expect(left).toEqual([]);
  });

  test('a deletion that was not asked to be restorable is final at once', async () => {
    const { id } = await makeSkill('final');
    await own('DELETE', `/skills/${id}`);
    expect((await own('POST', `/skills/${id}/restore`)).json().code).toBe('skill_not_found');
    expect(await rowsOf(sql`select id from http_skill where id = ${id}`)).toEqual([]);
  });
});
