import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const folder = emptyTestFolder();
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'hours.md'), '# Hours\n\nWe open at nine.');
const { operate, makeWorkspace, runtime } = await openTestServer({
  runtime: { environment: { SOURCE_FOLDERS: folder } },
});
const { id, owner } = await makeWorkspace();
const path = `/workspaces/${id}/sources`;
const fields = { name: 'Handbook', kind: 'folder', settings: { path: folder }, run: false };

const add = async (more: object = {}) => (await operate('POST', path, { ...fields, ...more })).json();
const codeOf = async (...call: Parameters<typeof operate>) => {
  const response = await operate(...call);
  return [response.statusCode, response.json().code];
};
const audit = async (workspace = id) => {
  const entries = (await operate('GET', `/workspaces/${workspace}/audit-log?limit=100`)).json().audit_log;
  return entries.map(({ action, actor }: { action: string; actor: string }) => `${action} ${actor}`);
};

describe('sources', () => {
  test('are created with their defaults and shown without credentials', async () => {
    const response = await operate('POST', path, fields);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({
      ...{ id: expect.stringMatching(/^src_\w+$/), workspace_id: id, name: 'Handbook', kind: 'folder' },
      ...{ settings: { path: folder }, has_credentials: false, audience: [], include: [], exclude: [] },
      ...{ max_items: 2_000, schedule_minutes: 1_440, paused: false, next_run_at: expect.any(String) },
      ...{ state: 'not_read', left: 0, troubles: [], hold: null, lastmod_distrust: null },
      indexing: { documents: 0, oldest_at: null },
      ...{ documents: 0, coverage: { listed: 0, answered: 0 }, as_of: null },
      ...{ last_run: null, created_at: expect.any(String), updated_at: expect.any(String) },
    });
    expect(await audit()).toContain('source_created operator');
  });

  test('start their first run at once unless they are asked not to', async () => {
    const { last_run: run } = await add({ run: true });
    expect(run).toMatchObject({ number: 1, state: 'queued', phase: 'list', started_by: 'operator' });
  });

  test('read everything again if they are asked to', async () => {
    const { id: source } = await add();
    const run = await operate('POST', `${path}/${source}/run?full=true`);
    expect(run.json()).toMatchObject({ state: 'catching_up', last_run: { full: true } });
    expect(await codeOf('POST', `${path}/${source}/run?full=maybe`)).toEqual([422, 'invalid_body']);
  });

  test('have nothing to apply or to discard before a run is held', async () => {
    const { id: source } = await add();
    for (const action of ['apply', 'discard']) {
      expect(await codeOf('POST', `${path}/${source}/${action}`)).toEqual([409, 'source_not_held']);
      expect(await codeOf('POST', `${path}/src_missing/${action}`)).toEqual([404, 'source_not_found']);
    }
  });

  test.each([
    [{ name: undefined }, 400, 'missing_field'],
    [{ name: '' }, 422, 'invalid_name'],
    [{ kind: 'gopher' }, 422, 'unknown_source_kind'],
    [{ settings: {} }, 422, 'invalid_settings'],
    [{ settings: { path: folder, colour: 'red' } }, 422, 'invalid_settings'],
    [{ credentials: { token: 'x' } }, 422, 'invalid_credentials'],
    [{ audience: ['nobody'] }, 422, 'invalid_audience'],
    [{ include: [''] }, 422, 'invalid_include'],
    [{ exclude: 'all' }, 422, 'invalid_exclude'],
    [{ max_items: 20_001 }, 422, 'invalid_max_items'],
    [{ schedule_minutes: 5 }, 422, 'invalid_schedule_minutes'],
  ])('are refused with %j: %i %s', async (more, status, code) => {
    expect(await codeOf('POST', path, { ...fields, ...more })).toEqual([status, code]);
  });

  test('name a field that their kind does not have', async () => {
    const response = await operate('POST', path, { ...fields, settings: { path: folder, colour: 'red' } });
    expect(response.json().detail).toBe('settings.colour does not exist for the kind folder. Use: path.');
  });

  test('of another workspace do not exist', async () => {
    const { id: other } = await makeWorkspace();
    const { id: source } = await add();
    const foreign = `/workspaces/${other}/sources/${source}`;
    const calls: readonly Parameters<typeof operate>[] = [
      ['GET', foreign],
      ['PATCH', foreign, { name: 'Mine' }],
      ['DELETE', foreign],
      ['POST', `${foreign}/run`],
      ['POST', `${foreign}/cancel`],
      ['POST', `${foreign}/pause`],
      ['POST', `${foreign}/resume`],
      ['GET', `${foreign}/runs`],
      ['GET', `${foreign}/items`],
      ['POST', `/workspaces/${other}/sources/preview`, { source_id: source }],
    ];
    for (const call of calls)
      expect([call, ...(await codeOf(...call))]).toEqual([call, 404, 'source_not_found']);
    expect((await operate('GET', `/workspaces/${other}/sources`)).json().sources).toEqual([]);
    expect((await operate('GET', `${path}/${source}`)).statusCode).toBe(200);
  });

  test('are listed newest first, page by page', async () => {
    const { id: own } = await makeWorkspace({ owner });
    for (const name of ['one', 'two', 'three']) {
      await operate('POST', `/workspaces/${own}/sources`, { ...fields, name });
    }
    const first = (await operate('GET', `/workspaces/${own}/sources?limit=2`)).json();
    const next = encodeURIComponent(first.pagination.next_cursor);
    const second = (await operate('GET', `/workspaces/${own}/sources?limit=2&cursor=${next}`)).json();
    const names = [...first.sources, ...second.sources].map(({ name }: { name: string }) => name);
    expect(names).toEqual(['three', 'two', 'one']);
  });

  test('that change what is read start over, and those that do not go on', async () => {
    const { id: source } = await add({ run: true });
    const change = async (body: object) => (await operate('PATCH', `${path}/${source}`, body)).json();
    expect((await change({ name: 'Manual', schedule_minutes: null })).last_run).toMatchObject({ number: 1 });
    expect((await change({ exclude: ['*.pdf'] })).last_run).toMatchObject({ number: 2, state: 'queued' });
    const { runs } = (await operate('GET', `${path}/${source}/runs`)).json();
    expect(runs[1]).toMatchObject({ number: 1, state: 'cancelled', code: 'source_changed' });
    expect((await change({ exclude: ['*.pdf'] })).last_run).toMatchObject({ number: 2 });
  });

  test('that are paused run neither by schedule nor by hand', async () => {
    const { id: source } = await add({ run: true });
    const paused = (await operate('POST', `${path}/${source}/pause`)).json();
    expect(paused).toMatchObject({ paused: true, next_run_at: null, last_run: { state: 'cancelled' } });
    expect(await codeOf('POST', `${path}/${source}/run`)).toEqual([409, 'source_paused']);
    const resumed = (await operate('POST', `${path}/${source}/resume`)).json();
    expect(resumed).toMatchObject({ paused: false, next_run_at: expect.any(String) });
    expect((await audit()).slice(0, 2)).toEqual(['source_resumed operator', 'source_paused operator']);
  });

  test('that run are not started again, and can be cancelled once', async () => {
    const { id: source } = await add({ run: true });
    expect(await codeOf('POST', `${path}/${source}/run`)).toEqual([409, 'source_running']);
    const cancelled = (await operate('POST', `${path}/${source}/cancel`)).json();
    expect(cancelled.last_run).toMatchObject({ state: 'cancelled', phase: null });
    expect(await codeOf('POST', `${path}/${source}/cancel`)).toEqual([409, 'source_not_running']);
  });

  test('are at most a hundred in a workspace', async () => {
    const { id: own } = await makeWorkspace({ owner });
    const rows = Array.from({ length: 100 }, (_, at) => ({
      ...{ id: `src_${own}${at}`, workspace_id: own, name: 'Full', kind: 'folder', settings: '{}' },
      ...{ max_items: 1, created_at: new Date(), updated_at: new Date() },
    }));
    await runtime.database.kysely.insertInto('source').values(rows).execute();
    expect(await codeOf('POST', `/workspaces/${own}/sources`, fields)).toEqual([409, 'too_many_sources']);
  });
});

describe('deleting a source', () => {
  const withDocument = async () => {
    const { id: own } = await makeWorkspace({ owner });
    const source = (await operate('POST', `/workspaces/${own}/sources`, fields)).json().id;
    const document = await runtime.documents.add({
      ...{ workspaceId: own, bytes: Buffer.from('Text.'), url: 'https://acme.example/a', origin: 'source' },
      item: { sourceId: source, key: 'a' },
    });
    const documents = `/workspaces/${own}/documents`;
    expect((await operate('GET', `${documents}?source_id=${source}`)).json().documents).toMatchObject([
      { id: document.id, origin: 'source', source_id: source },
    ]);
    return { own, source: `/workspaces/${own}/sources/${source}`, document: `${documents}/${document.id}` };
  };

  test('keeps its documents, which are then known by their address', async () => {
    const { own, source, document } = await withDocument();
    expect((await operate('DELETE', source)).statusCode).toBe(204);
    expect((await operate('GET', document)).json()).toMatchObject({ source_id: null, origin: 'source' });
    const again = await runtime.documents.add({
      ...{ workspaceId: own, bytes: Buffer.from('New.'), url: 'https://acme.example/a' },
    });
    expect(document).toContain(again.id);
  });

  test('deletes them too if it is asked to, with their number in the log', async () => {
    const { own, source, document } = await withDocument();
    expect((await operate('DELETE', `${source}?documents=delete`)).statusCode).toBe(204);
    expect((await operate('GET', document)).statusCode).toBe(404);
    const [entry] = (await operate('GET', `/workspaces/${own}/audit-log`)).json().audit_log;
    expect(entry).toMatchObject({ action: 'source_deleted', details: { name: 'Handbook', documents: 1 } });
  });
});

describe('a preview', () => {
  test('shows what would be read, and stores nothing', async () => {
    const { id: own } = await makeWorkspace({ owner });
    const body = { kind: 'folder', settings: { path: folder } };
    const preview = (await operate('POST', `/workspaces/${own}/sources/preview`, body)).json();
    const item = {
      ...{ key: 'hours.md', url: null, title: null, outcome: 'read', code: null, reason: null },
      ...{ bytes: 25, content_type: null },
    };
    expect(preview).toEqual({
      items: [item],
      groups: [{ pattern: '/*', listed: 1, unlisted: 0, checked: 1, read: 1, sample: item }],
      ...{ covered: 1, unlisted: 0, scope: null, outside: 0 },
      ...{ listed: 1, is_whole: true, failure: null },
    });
    expect((await operate('GET', `/workspaces/${own}/documents`)).json().documents).toEqual([]);
    expect((await operate('GET', `/workspaces/${own}/sources`)).json().sources).toEqual([]);
  });

  test('says why the source cannot be read', async () => {
    const body = { kind: 'folder', settings: { path: '/etc' } };
    const preview = (await operate('POST', `${path}/preview`, body)).json();
    expect(preview.failure).toMatchObject({ code: 'folder_refused' });
  });

  test('of a stored source needs nothing else', async () => {
    const { id: source } = await add({ exclude: ['*.md'] });
    const preview = (await operate('POST', `${path}/preview`, { source_id: source })).json();
    expect(preview.items).toMatchObject([{ key: 'hours.md', outcome: 'skipped', code: 'excluded' }]);
  });
});
