import { describe, expect, test } from 'vitest';
import { workspaceSettingsSchema } from '../../../core/workspaces/workspace-settings.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../helpers/servers/sign-in-person.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('settings of a workspace on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const server = await openTestServer({ runtime: { environment } });
  const { operate, query, stream, makeWorkspace, runtime } = server;
  const workspace = await makeWorkspace({ name: 'Acme', plan: 'growth' });
  const path = `/workspaces/${workspace.id}`;
  const owner = await signInPerson(server, {
    email: 'maya@acme.example',
    role: 'owner',
    ownerId: workspace.owner,
  });
  const agent = await signInPerson(server, {
    email: 'ben@acme.example',
    role: 'agent',
    ownerId: workspace.owner,
  });
  const own = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', below: string, payload?: object) =>
    owner.call(method, `/admin/v1${path}${below}`, payload);
  const lastAudit = async () =>
    runtime.database.kysely
      .selectFrom('audit_entry')
      .select(['action', 'actor', 'details'])
      .where('workspace_id', '=', workspace.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
  await server.addDocument(workspace.id, '# Socks\n\nWe sell red socks made of wool for 12 pounds.');

  test('the schema names every setting with its texts, and the plan’s limit', async () => {
    const { properties } = (await operate('GET', `${path}/settings-schema`)).json();
    expect(Object.keys(properties).sort()).toEqual(Object.keys(workspaceSettingsSchema.shape).sort());
    for (const property of Object.values(properties)) {
      expect(property).toMatchObject({
        title: expect.stringMatching(/^[A-Z]/),
        description: expect.stringMatching(/\.$/),
        'x-effect': expect.stringMatching(/\.$/),
        'x-group': expect.any(String),
      });
    }
    expect(properties.retention_days).toMatchObject({ type: 'integer', maximum: 90, default: 90 });
    expect(properties.fallback_messages.properties.de).toMatchObject({
      type: 'string',
      title: 'German',
      maxLength: 1_000,
      default: expect.stringContaining('in meinen Unterlagen keine Antwort'),
    });
    expect(Object.keys(properties.fallback_messages.properties)).toHaveLength(12);
    expect(properties.strictness).toMatchObject({ enum: ['strict', 'fallback'], default: 'strict' });
    expect((await agent.call('GET', `/admin/v1${path}/settings-schema`)).statusCode).toBe(200);
  });

  test('answers are counted by probability: those of the last 30 days, of this workspace, that have one', async () => {
    const shop = await makeWorkspace({ name: 'Shop' });
    const other = await makeWorkspace({ name: 'Other' });
    const say = (workspaceId: string, probability: number | null) => {
      const turn = plainTurn(workspaceId);
      return runtime.conversations.storeTurn({ ...turn, answer: { ...turn.answer, probability } });
    };
    for (const probability of [0, 0.049, 0.3, 1, null]) await say(shop.id, probability);
    await say(other.id, 0.3);
    const old = await say(shop.id, 0.3);
    await runtime.database.kysely
      .updateTable('message')
      .set({ created_at: new Date(runtime.clock.now().getTime() - 31 * 24 * 3_600_000) })
      .where('id', '=', old.messageId)
      .execute();
    const { answers, bins } = (await operate('GET', `/workspaces/${shop.id}/answer_probabilities`)).json();
    expect(bins.flatMap((count: number, bin: number) => (count > 0 ? [[bin, count]] : []))).toEqual([
      [0, 2],
      [6, 1],
      [19, 1],
    ]);
    expect(answers).toBe(4);
  });

  test('the limits of the tiers count for the next question, and the lower one is at most the upper one', async () => {
    const shop = await makeWorkspace({ name: 'Tiers', plan: 'growth' });
    await server.addDocument(shop.id, '# Socks\n\nWe sell red socks made of wool for 12 pounds.');
    const change = (settings: object) => operate('PATCH', `/workspaces/${shop.id}`, { settings });
    const ask = async () => (await query(shop.key, { query: 'Are there things for cold feet?' })).json();
    const refused = await change({ answer_from: 0.5, maybe_from: 0.6 });
    expect(refused.json()).toMatchObject({ code: 'invalid_settings' });
    expect((await change({ answer_from: 0.95 })).statusCode).toBe(422);
    expect((await change({ answer_from: 0.2, maybe_from: 0.05 })).statusCode).toBe(200);
    const { probability } = await ask();
    expect(await ask()).toMatchObject({ tier: 'answer', quoted: true });
    expect((await change({ answer_from: 0.9 })).statusCode).toBe(200);
    expect(await ask()).toMatchObject({ tier: 'maybe', confidence: 'low', quoted: true, probability });
    expect((await change({ maybe_from: 0.9 })).statusCode).toBe(200);
    expect(await ask()).toMatchObject({ tier: 'none', quoted: false, probability });
  });

  test('a change is audited with the actor and the names of what changed, not with values', async () => {
    await own('PATCH', '', {
      name: 'Acme',
      settings: { strictness: 'fallback', description: 'Secret plans' },
    });
    expect(await lastAudit()).toEqual({
      action: 'workspace_changed',
      actor: 'maya',
      details: { fields: ['settings.description', 'settings.strictness'] },
    });
    await operate('PATCH', path, { settings: { strictness: null } });
    expect(await lastAudit()).toMatchObject({
      actor: 'operator',
      details: { fields: ['settings.strictness'] },
    });
    const before = await lastAudit();
    await own('PATCH', '', { settings: { description: 'Secret plans' } });
    expect(await lastAudit()).toEqual(before);
  });

  test('a key shows who made it, when it was used, and its outcomes by day', async () => {
    const made = (await own('POST', '/keys', { name: 'Shop', rate_limit_minute: 4 })).json();
    expect(made).toMatchObject({ created_by: 'maya', last_used_at: null, revoked_at: null, days: [] });
    expect(await lastAudit()).toEqual({
      action: 'key_created',
      actor: 'maya',
      details: {
        ...{ id: made.id, name: 'Shop', workspaces: 'owner' },
        scopes: ['query', 'conversations:read', 'conversations:write'],
      },
    });
    await query(made.key, { query: 'Do you sell red socks made of wool?' });
    await stream(made.key, { query: 'What is the capital of Mongolia?' });
    await query(made.key, {});
    await query(made.key, { query: 'Do you sell red socks?', workspace_id: 'ws_unknown' });
    await query(made.key, { query: 'Do you sell red socks?' });
    const find = async () => {
      const { keys } = (await own('GET', '/keys')).json();
      return keys.find(({ id }: { id: string }) => id === made.id);
    };
    await expect
      .poll(async () => (await find()).days)
      .toEqual([{ day: new Date().toISOString().slice(0, 10), answered: 1, low: 1, errors: 2, limited: 1 }]);
    const { last_used_at: used } = await find();
    expect(Date.parse(used)).toBeGreaterThan(Date.parse(made.created_at));
    await query(made.key, { query: 'Again?' });
    expect((await find()).last_used_at).toBe(used);
  });

  test('a key is changed, revoked and restored, each with its audit entry', async () => {
    const made = (await own('POST', '/keys', { name: 'Kiosk' })).json();
    const key = `/keys/${made.id}`;
    const changed = await own('PATCH', key, { name: 'Old kiosk', expires_at: '2199-01-01T00:00:00Z' });
    expect(changed.json()).toMatchObject({ name: 'Old kiosk', expires_at: '2199-01-01T00:00:00.000Z' });
    expect((await own('PATCH', key, { expires_at: null })).json().expires_at).toBeNull();
    expect((await own('PATCH', key, { expires_at: '2020-01-01T00:00:00Z' })).json().code).toBe(
      'invalid_expires_at',
    );
    expect((await own('PATCH', key, {})).json().code).toBe('missing_field');
    await own('DELETE', key);
    expect(await lastAudit()).toMatchObject({ action: 'key_revoked', actor: 'maya' });
    expect((await query(made.key, { query: 'Socks?' })).json().code).toBe('invalid_key');
    expect((await own('PATCH', key, { name: 'X' })).json().code).toBe('key_not_found');
    const { keys } = (await own('GET', '/keys?revoked=true')).json();
    expect(keys).toMatchObject([{ id: made.id, revoked_at: expect.any(String) }]);
    expect((await own('POST', `${key}/restore`)).json()).toMatchObject({ id: made.id, revoked_at: null });
    expect(await lastAudit()).toMatchObject({ action: 'key_restored', actor: 'maya' });
    expect((await query(made.key, { query: 'Do you sell socks?' })).statusCode).toBe(200);
    expect((await own('POST', `${key}/restore`)).json().code).toBe('key_not_found');
  });

  test('a rotation is audited with its actor, and the end of the grace period is shown', async () => {
    expect((await own('GET', '/identity_secret')).json()).toEqual({ previous_valid_until: null });
    const rotated = (await own('POST', '/identity_secret/rotate', { grace_seconds: 3_600 })).json();
    expect((await own('GET', '/identity_secret')).json()).toEqual({
      previous_valid_until: rotated.previous_valid_until,
    });
    expect(await lastAudit()).toMatchObject({ action: 'secret_rotated', actor: 'maya' });
  });

  test('webhooks and skills are audited with their actor, and a webhook is tested', async () => {
    const hook = (await own('POST', '/webhooks', { url: 'https://example.com/h', events: ['*'] })).json();
    expect(await lastAudit()).toMatchObject({ action: 'webhook_created', details: { id: hook.id } });
    const sent = await own('POST', `/webhooks/${hook.id}/test`);
    expect([sent.statusCode, sent.json().event, sent.json().status]).toEqual([
      202,
      'webhook.test',
      'pending',
    ]);
    const listed = (await own('GET', `/webhooks/${hook.id}/deliveries`)).json();
    expect(listed.deliveries).toMatchObject([{ id: sent.json().id }]);
    const off = (await own('PATCH', `/webhooks/${hook.id}`, { enabled: false })).json();
    expect(JSON.stringify(off)).toContain('maya disabled the webhook.');
    expect((await own('POST', `/webhooks/${hook.id}/test`)).json().code).toBe('webhook_disabled');
    await own('DELETE', `/webhooks/${hook.id}`);
    expect(await lastAudit()).toMatchObject({ action: 'webhook_deleted', actor: 'maya' });
    const skill = {
      name: 'order_status',
      description: 'Looks up an order.',
      parameters: { type: 'object', properties: {} },
      url: 'https://example.com/s',
    };
    const { id } = (await own('POST', '/skills', skill)).json();
    await own('PATCH', `/skills/${id}`, { enabled: false });
    expect(await lastAudit()).toMatchObject({
      action: 'skill_changed',
      actor: 'maya',
      details: { fields: ['enabled'] },
    });
    await own('DELETE', `/skills/${id}`);
    expect(await lastAudit()).toMatchObject({ action: 'skill_deleted', details: { name: 'order_status' } });
  });

  test('fallback messages are stored by language, and another language is refused', async () => {
    const change = (settings: object) => own('PATCH', '', { settings });
    const stored = (await change({ fallback_messages: { ja: '担当者にお尋ねください。' } })).json();
    expect(stored.settings.fallback_messages).toEqual({ ja: '担当者にお尋ねください。' });
    for (const wrong of [{ xx: 'Text' }, { de: ' ' }, { de: 'x'.repeat(1_001) }]) {
      expect((await change({ fallback_messages: wrong })).json().code).toBe('invalid_settings');
    }
    expect((await change({ fallback_messages: null })).json().settings).not.toHaveProperty(
      'fallback_messages',
    );
  });

  test('snippets are written by owners, read by agents, and have names of their own', async () => {
    const made = await own('POST', '/snippets', {
      name: 'Returns',
      text: 'Within 30 days.',
      tags: ['a', 'a'],
    });
    expect([made.statusCode, made.json()]).toMatchObject([
      201,
      { name: 'Returns', text: 'Within 30 days.', tags: ['a'], created_by: 'maya' },
    ]);
    expect((await own('POST', '/snippets', { name: 'returns', text: 'x' })).json().code).toBe(
      'snippet_name_taken',
    );
    const snippet = `/snippets/${made.json().id}`;
    expect((await own('PATCH', snippet, { text: 'Within 14 days.' })).json().text).toBe('Within 14 days.');
    const seen = await agent.call('GET', `/admin/v1${path}/snippets?q=14 DAYS`);
    expect(seen.json().snippets).toMatchObject([{ name: 'Returns' }]);
    expect((await agent.call('DELETE', `/admin/v1${path}${snippet}`)).statusCode).toBe(403);
    const other = await makeWorkspace();
    expect((await operate('DELETE', `/workspaces/${other.id}${snippet}`)).json().code).toBe(
      'snippet_not_found',
    );
    expect((await own('DELETE', snippet)).statusCode).toBe(204);
    expect((await own('DELETE', snippet)).json().code).toBe('snippet_not_found');
  });

  test('tags are counted, renamed and merged in conversations of this workspace alone', async () => {
    const other = await makeWorkspace();
    const tag = async (key: string, tags: readonly string[]) => {
      const { conversation_id: id } = (await query(key, { query: 'Do you sell socks?' })).json();
      const headers = { authorization: `Bearer ${key}` };
      const url = `/v1/conversations/${id}`;
      await server.app.inject({ method: 'PATCH', url, headers, payload: { tags } });
    };
    await tag(workspace.key, ['refund', 'vip']);
    await tag(workspace.key, ['refund', 'returns']);
    await tag(other.key, ['refund']);
    expect((await own('GET', '/tags')).json().tags).toEqual([
      { tag: 'refund', conversations: 2, open: 2 },
      { tag: 'returns', conversations: 1, open: 1 },
      { tag: 'vip', conversations: 1, open: 1 },
    ]);
    expect((await own('POST', '/tags/rename', { from: 'refund', to: 'returns' })).json()).toEqual({
      conversations: 2,
    });
    expect((await own('GET', '/tags')).json().tags).toMatchObject([
      { tag: 'returns', conversations: 2 },
      { tag: 'vip', conversations: 1 },
    ]);
    expect(await lastAudit()).toMatchObject({ action: 'tag_renamed', actor: 'maya' });
    expect((await own('POST', '/tags/rename', { from: 'refund', to: 'x' })).json().code).toBe(
      'tag_not_found',
    );
    expect((await operate('GET', `/workspaces/${other.id}/tags`)).json().tags).toMatchObject([
      { tag: 'refund', conversations: 1 },
    ]);
  });

  test('usage tells the month of the owner and the answers of the workspace', async () => {
    const fresh = await makeWorkspace({ plan: 'starter' });
    await query(fresh.key, { query: 'Do you sell socks?' });
    await query(fresh.key, { query: 'Do you sell shoes?' });
    const usage = (await operate('GET', `/workspaces/${fresh.id}/usage`)).json();
    const day = new Date().toISOString().slice(0, 10);
    expect(usage).toMatchObject({
      plan: 'starter',
      month: `${day.slice(0, 7)}-01`,
      messages: 2,
      quota: 2_000,
      by_channel: [{ channel: 'api', answers: 2 }],
      by_day: [{ day, answers: 2 }],
    });
    expect(day.endsWith('-01') ? 2 : usage.forecast).toBeGreaterThanOrEqual(2);
  });

  test('deleting a workspace is audited', async () => {
    const gone = await makeWorkspace();
    await operate('DELETE', `/workspaces/${gone.id}`);
    const entry = await runtime.database.kysely
      .selectFrom('audit_entry')
      .select(['action', 'actor'])
      .where('workspace_id', '=', gone.id)
      .where('action', '=', 'workspace_deleted')
      .executeTakeFirst();
    expect(entry).toEqual({ action: 'workspace_deleted', actor: 'operator' });
  });
});
