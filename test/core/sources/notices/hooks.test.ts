import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { namedActor } from '../../../../core/contract/actor.ts';
import { purgeHookCalls, SourceHooks } from '../../../../core/sources/hooks/source-hooks.ts';
import { SourceNotices } from '../../../../core/sources/notices/source-notices.ts';
import { zendeskKind } from '../../../../core/sources/tools/help-centers/zendesk.ts';
import { notionKind } from '../../../../core/sources/tools/notion/notion.ts';
import { githubKind } from '../../../../core/sources/tools/repositories/github.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { openTestDatabase } from '../../../helpers/stores/databases/test-databases.ts';

const database = await openTestDatabase('embedded');
const actor = namedActor('Ann');

const tools = {
  github: {
    ...{ kind: 'github', settings: { repository: 'acme/docs', folder: 'docs' }, credentials: {} },
    items: ['file:docs/a.md', 'file:docs/b.md'],
  },
  zendesk: {
    ...{ kind: 'zendesk', settings: { subdomain: 'acme' }, items: ['7001'] },
    credentials: { email: 'ann@acme.example', api_token: 'token-of-ann' },
  },
  notion: {
    ...{ kind: 'notion', settings: {}, credentials: { token: 'token-of-notion' } },
    items: ['0e5f0e5f-0000-4000-8000-000000000001'],
  },
  scripted: { kind: 'scripted', settings: {}, credentials: { token: 'right-token' }, items: [] },
};

async function open(tool: keyof typeof tools) {
  const { items, ...fields } = tools[tool];
  const bench = new SourceBench(database, [githubKind, zendeskKind, notionKind]);
  bench.now = new Date('2026-03-01T08:00:00Z');
  const workspaceId = await bench.workspace();
  const id = await bench.create(workspaceId, fields);
  await database.kysely
    .insertInto('source_item')
    .values([
      { source_id: id, workspace_id: workspaceId, key: 'unrelated', state: 'current' },
      ...items.map((key) => ({ source_id: id, workspace_id: workspaceId, key, state: 'current' })),
    ])
    .execute();
  const { clock, secretBox, log } = bench.dependencies;
  const common = { database: database.kysely, clock, queue: bench.queue, log };
  const hooks = new SourceHooks({ ...common, secretBox, notices: new SourceNotices(common) });
  return {
    ...{ bench, id, hooks, workspaceId, target: { workspaceId, id, actor } },
    call: (body: unknown, headers: Readonly<Record<string, string>>) =>
      hooks.receive(id, { headers, body: Buffer.from(text(body)) }),
    notices: async () => {
      const rows = await database.kysely
        .selectFrom('source_notice')
        .select(['key', 'is_deletion'])
        .where('source_id', '=', id)
        .orderBy('key')
        .execute();
      return rows.map(({ key, is_deletion: isDeletion }) => (isDeletion ? `-${key}` : key)).sort();
    },
    forget: () => database.kysely.deleteFrom('source_notice').where('source_id', '=', id).execute(),
  };
}

const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));
const hmac = (secret: string, ...parts: readonly string[]) =>
  createHmac('sha256', secret).update(parts.join(''));

const push = (more: object = {}) => ({
  ref: 'refs/heads/main',
  repository: {
    ...{ full_name: 'Acme/docs', default_branch: 'main' },
    pushed_at: Date.parse('2026-03-01T07:59:50Z') / 1_000,
  },
  commits: [
    { added: ['docs/new.md', 'src/code.ts'], modified: ['docs/a.md'], removed: [] },
    { added: [], modified: ['README.md'], removed: ['docs/b.md', 'docs/new.md'] },
  ],
  ...more,
});

describe('the webhook of GitHub', () => {
  async function openHook() {
    const bench = await open('github');
    const { secret, state } = await bench.hooks.setUp(bench.target);
    expect(state).toBe('on');
    if (secret === null) throw new TypeError('no secret');
    const send = (body: unknown, key = secret) =>
      bench.call(body, { 'x-hub-signature-256': `sha256=${hmac(key, text(body)).digest('hex')}` });
    return { ...bench, send, secret };
  }

  test('names the files of a push that belong to the source, as the last commit left them', async () => {
    const { send, notices, bench } = await openHook();
    await send(push());
    expect(await notices()).toEqual(['-file:docs/b.md', 'file:docs/a.md']);
    expect(bench.jobs).toHaveLength(1);
  });

  test.each([
    ['without a signature', {}],
    [
      'with one of another secret',
      { 'x-hub-signature-256': `sha256=${hmac('x', text(push())).digest('hex')}` },
    ],
    ['with an older kind of signature', { 'x-hub-signature': 'sha1=00' }],
  ])('refuses a call %s', async (_, headers) => {
    const { call, notices } = await openHook();
    await expect(call(push(), headers)).rejects.toMatchObject({ code: 'invalid_signature' });
    expect(await notices()).toEqual([]);
  });

  test('does nothing for a call that was sent before, or a push of last week', async () => {
    const { send, notices, forget, bench } = await openHook();
    await send(push());
    await forget();
    await send(push());
    expect(await notices()).toEqual([]);
    // The signatures of old calls are forgotten, so their time has to tell.
    const old = push();
    bench.now = new Date('2026-03-08T08:00:00Z');
    await database.kysely
      .transaction()
      .execute((transaction) => purgeHookCalls({ transaction, now: bench.now }));
    await send(old);
    expect(await notices()).toEqual([]);
  });

  test('starts a whole run if the push does not name all files, and ignores other branches and repositories', async () => {
    const { send, notices, bench, id } = await openHook();
    await send(push({ ref: 'refs/heads/draft' }));
    await send(push({ repository: { ...push().repository, full_name: 'acme/other' } }));
    await send(push({ deleted: true }));
    await send({ zen: 'Anything added dilutes everything else.' });
    expect(bench.jobs).toEqual([]);
    await send(push({ forced: true }));
    expect(await notices()).toEqual([]);
    const runs = await database.kysely
      .selectFrom('source_run')
      .select(['is_partial', 'started_by'])
      .where('source_id', '=', id)
      .execute();
    expect(runs).toEqual([{ is_partial: false, started_by: 'webhook github' }]);
  });

  test('believes no earlier secret after it was set up anew, and nothing after it was removed', async () => {
    const { send, hooks, target, workspaceId, id } = await openHook();
    await hooks.setUp(target);
    await expect(send(push())).rejects.toMatchObject({ code: 'invalid_signature' });
    await hooks.remove(target);
    await expect(send(push())).rejects.toMatchObject({ code: 'source_hook_not_found' });
    expect(await hooks.get(workspaceId, id)).toMatchObject({ state: 'off', secret: null });
  });

  test('may be repeated after it was refused for its rate', async () => {
    const { send, notices, bench, forget } = await openHook();
    for (let at = 0; at < 30; at += 1) await send(push({ after: String(at) }));
    await forget();
    await expect(send(push())).rejects.toMatchObject({ code: 'rate_limit_minute' });
    bench.now = new Date(bench.now.getTime() + 60_000);
    await send(push());
    expect(await notices()).toHaveLength(2);
  });
});

describe('the webhook of Zendesk', () => {
  const secret = 'dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3RpbmdfaGVyZQ==';
  const event = (what: string, more: object = {}) => ({
    ...{ type: `zen:event-type:article.${what}`, detail: { brand_id: '1', id: '7001' } },
    ...{ time: '2026-03-01T07:59:58Z', zendesk_event_version: '2022-11-06', ...more },
  });

  async function openHook() {
    const bench = await open('zendesk');
    expect((await bench.hooks.setUp(bench.target)).state).toBe('waiting');
    expect((await bench.hooks.setUp(bench.target, secret)).state).toBe('on');
    const send = (body: unknown, time = '2026-03-01T08:00:00Z') =>
      bench.call(body, {
        'x-zendesk-webhook-signature': hmac(secret, time, text(body)).digest('base64'),
        'x-zendesk-webhook-signature-timestamp': time,
      });
    return { ...bench, send };
  }

  test('names an article that was published, and one that was unpublished as deleted', async () => {
    const { send, notices } = await openHook();
    await send(event('published'));
    expect(await notices()).toEqual(['7001']);
    await send(event('unpublished'));
    expect(await notices()).toEqual(['-7001']);
    await send(event('vote_created'));
    expect(await notices()).toEqual(['-7001']);
  });

  test('refuses a call of ten minutes ago, and one whose time was changed', async () => {
    const { send, call } = await openHook();
    await expect(send(event('published'), '2026-03-01T07:50:00Z')).rejects.toMatchObject({
      code: 'invalid_signature',
    });
    const body = text(event('published'));
    const signature = hmac(secret, '2026-03-01T07:50:00Z', body).digest('base64');
    await expect(
      call(body, {
        ...{ 'x-zendesk-webhook-signature': signature },
        'x-zendesk-webhook-signature-timestamp': '2026-03-01T08:00:00Z',
      }),
    ).rejects.toMatchObject({ code: 'invalid_signature' });
  });
});

describe('the webhook of Notion', () => {
  const token = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl';
  const page = tools.notion.items[0];
  const event = (type: string, more: object = {}) => ({
    ...{
      id: 'evt',
      type,
      timestamp: '2026-03-01T07:59:30.000Z',
      entity: { id: page, type: 'page' },
      ...more,
    },
  });

  test('takes the token of the first call within the hour, shows it once and believes it', async () => {
    const { hooks, target, call, notices, workspaceId, id, bench } = await open('notion');
    expect((await hooks.setUp(target)).state).toBe('waiting');
    await expect(hooks.reveal(target)).rejects.toMatchObject({ code: 'hook_secret_not_sent' });
    await call({ verification_token: token }, {});
    expect(await hooks.get(workspaceId, id)).toMatchObject({ state: 'received', secret: null });
    // A second token changes nothing.
    await expect(call({ verification_token: 'secret_of_a_stranger' }, {})).rejects.toMatchObject({
      code: 'invalid_signature',
    });
    expect(await hooks.reveal(target)).toMatchObject({ state: 'on', secret: token });
    await expect(hooks.reveal(target)).rejects.toMatchObject({ code: 'hook_secret_not_sent' });
    const send = (body: unknown, key = token) =>
      call(body, { 'x-notion-signature': `sha256=${hmac(key, text(body)).digest('hex')}` });
    await send(event('page.content_updated'));
    expect(await notices()).toEqual([page]);
    await send(event('page.deleted'));
    expect(await notices()).toEqual([`-${page}`]);
    await send(event('comment.created', { entity: { id: 'x', type: 'comment' } }));
    await expect(send(event('page.moved'), 'wrong')).rejects.toMatchObject({ code: 'invalid_signature' });
    expect(await notices()).toEqual([`-${page}`]);
    expect(bench.jobs).toHaveLength(1);
    const { hook_secret_encrypted: sealed } = await database.kysely
      .selectFrom('source')
      .select('hook_secret_encrypted')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(sealed).toMatch(/^v2\./);
    expect(sealed).not.toContain(token);
  });

  test('takes no token after the hour, and none that nobody awaits', async () => {
    const { hooks, target, call, bench } = await open('notion');
    await expect(call({ verification_token: token }, {})).rejects.toMatchObject({
      code: 'source_hook_not_found',
    });
    await hooks.setUp(target);
    bench.now = new Date(bench.now.getTime() + 2 * 3_600_000);
    await expect(call({ verification_token: token }, {})).rejects.toMatchObject({
      code: 'source_hook_not_found',
    });
  });
});

test('a paused source ignores calls, and other kinds have no webhook', async () => {
  const { bench, target, hooks, call, notices } = await open('github');
  const { secret } = await hooks.setUp(target);
  await bench.sources.pause(target);
  const body = text(push());
  await call(body, { 'x-hub-signature-256': `sha256=${hmac(secret ?? '', body).digest('hex')}` });
  expect(await notices()).toEqual([]);
  const other = await open('scripted');
  await expect(other.hooks.setUp(other.target)).rejects.toMatchObject({ code: 'source_hook_unavailable' });
});
