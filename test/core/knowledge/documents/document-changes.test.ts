import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { namedActor } from '../../../../core/contract/actor.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const manual = '# Manual\n\n## Handle\n\nThe handle of the kettle is made of wood.\n';

describe.each(testEngines)('changes of documents on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const base = new KnowledgeBase(database);
  const audit = async (workspaceId: string) => {
    const { rows } = await sql<{ action: string; actor: string; details: { fields?: string[] } }>`
      select action, actor, details from audit_entry where workspace_id = ${workspaceId} order by at, id
    `.execute(database.kysely);
    return rows.map(({ action, actor, details }) => [action, actor, details.fields?.join()].join(' ').trim());
  };

  test('a new title is indexed from the passages, and searches find it', async () => {
    const workspaceId = await base.workspace();
    const id = await base.add(workspaceId, manual);
    const changed = await base.changes.change(
      { workspaceId, id, actor: namedActor('Ann') },
      { title: 'Samovar' },
    );
    expect(changed).toMatchObject({ title: 'Samovar', status: 'queued', revision: 1, wantedRevision: 2 });
    expect(await base.ingest(id)).toBe('indexed');
    const [found] = await base.search(workspaceId, 'samovar');
    expect(found).toMatchObject({ documentId: id, title: 'Samovar', headings: ['Handle'] });
    expect(await audit(workspaceId)).toEqual(['document_added operator', 'document_changed Ann title']);
  });

  test('a new address is not indexed, and searches name it at once', async () => {
    const workspaceId = await base.workspace();
    const id = await base.add(workspaceId, manual);
    const changed = await base.changes.change({ workspaceId, id }, { url: 'https://shop.example/kettle' });
    expect(changed.status).toBe('indexed');
    const [found] = await base.search(workspaceId, 'kettle handle');
    expect(found).toMatchObject({ url: 'https://shop.example/kettle' });
  });

  test('a new audience decides who finds the document', async () => {
    const workspaceId = await base.workspace();
    const id = await base.add(workspaceId, manual);
    await base.changes.change({ workspaceId, id }, { audience: ['staff'] });
    await base.ingest(id);
    expect(await base.search(workspaceId, 'kettle handle')).toEqual([]);
    expect(await base.search(workspaceId, 'kettle handle', { audience: ['staff'] })).toHaveLength(1);
  });

  test('values that are the same change nothing and leave no entry', async () => {
    const workspaceId = await base.workspace();
    const id = await base.add(workspaceId, manual, { audience: ['staff', 'trade'] });
    const before = await base.documents.get(workspaceId, id);
    const same = { title: before.title, url: null, audience: ['trade', 'staff'] };
    expect(await base.changes.change({ workspaceId, id }, same)).toEqual(before);
    expect(await audit(workspaceId)).toEqual(['document_added operator']);
  });

  test('the address of another document is refused', async () => {
    const workspaceId = await base.workspace();
    const url = 'https://shop.example/one';
    await base.add(workspaceId, manual, { url });
    const id = await base.add(workspaceId, 'Another text.');
    await expect(base.changes.change({ workspaceId, id }, { url })).rejects.toMatchObject({
      code: 'document_exists',
    });
  });

  test('a failed document is tried again from the content that was sent', async () => {
    const workspaceId = await base.workspace();
    const bytes = Buffer.from('not a PDF');
    const { id } = await base.documents.add({ workspaceId, bytes, contentType: 'application/pdf' });
    expect(await base.ingest(id)).toBe('failed');
    expect(await base.changes.reindex({ workspaceId, id })).toMatchObject({
      status: 'queued',
      failure: null,
    });
    expect(await base.ingest(id)).toBe('failed');
    const failed = await base.documents.get(workspaceId, id);
    expect(failed).toMatchObject({ status: 'failed', failure: { reason: expect.any(String) } });
  });

  test('a document whose content was refused cannot be tried again', async () => {
    const workspaceId = await base.workspace();
    const refusal = { code: 'too_large', reason: 'The file is larger than 25 MB.' };
    const { id } = await base.documents.add({ workspaceId, bytes: new Uint8Array(), refusal });
    await expect(base.changes.reindex({ workspaceId, id })).rejects.toMatchObject({
      code: 'document_content_gone',
    });
  });

  test('an indexed document is indexed again with the same passages', async () => {
    const workspaceId = await base.workspace();
    const id = await base.add(workspaceId, manual);
    const before = await base.search(workspaceId, 'kettle handle');
    await base.changes.reindex({ workspaceId, id, actor: namedActor('Ann') });
    expect(await base.ingest(id)).toBe('indexed');
    const after = await base.search(workspaceId, 'kettle handle');
    expect(after.map(({ body, headings, score }) => ({ body, headings, score }))).toEqual(
      before.map(({ body, headings, score }) => ({ body, headings, score })),
    );
    expect(await audit(workspaceId)).toEqual(['document_added operator', 'document_reindexed Ann']);
  });

  test('replaced content keeps the id, the title, the address and the audience', async () => {
    const workspaceId = await base.workspace();
    const kept = { title: 'Kettles', url: 'https://shop.example/kettles', audience: ['staff'] };
    const id = await base.add(workspaceId, manual, kept);
    const replaced = await base.changes.replace(
      { workspaceId, id },
      { bytes: Buffer.from('The spout is made of copper.'), contentType: 'text/plain' },
    );
    expect(replaced).toMatchObject({ id, ...kept });
    await base.ingest(id);
    const [found] = await base.search(workspaceId, 'copper spout', { audience: ['staff'] });
    expect(found).toMatchObject({ documentId: id, title: 'Kettles' });
  });

  test('a restorable deletion leaves searches at once and comes back whole', async () => {
    const workspaceId = await base.workspace();
    const id = await base.add(workspaceId, manual);
    await base.documents.delete(workspaceId, id, { actor: namedActor('Ann'), restorableMs: 60_000 });
    expect(await base.search(workspaceId, 'kettle handle')).toEqual([]);
    expect(await base.ingest(id)).toBe('nothing-to-do');
    expect(await base.changes.restore({ workspaceId, id, actor: namedActor('Ann') })).toMatchObject({
      status: 'indexed',
    });
    expect(await base.search(workspaceId, 'kettle handle')).toHaveLength(1);
    expect(await audit(workspaceId)).toEqual([
      'document_added operator',
      'document_deleted Ann',
      'document_restored Ann',
    ]);
  });

  test('a deletion whose time has passed, or that never was restorable, is final', async () => {
    const workspaceId = await base.workspace();
    const [past, plain] = [await base.add(workspaceId, manual), await base.add(workspaceId, 'Another text.')];
    await base.documents.delete(workspaceId, past, { restorableMs: 1 });
    await sql`update document set restorable_until = now() - interval '1 hour' where id = ${past}`.execute(
      database.kysely,
    );
    await base.documents.delete(workspaceId, plain);
    for (const id of [past, plain]) {
      await expect(base.changes.restore({ workspaceId, id })).rejects.toMatchObject({
        code: 'document_not_found',
      });
      expect(await base.ingest(id)).toBe('removed');
    }
  });

  test('lists are limited by text, status and readers, and counted', async () => {
    const workspaceId = await base.workspace();
    const one = await base.add(workspaceId, manual, { title: 'Prices 50%', audience: ['staff'] });
    const two = await base.store(workspaceId, 'A text.', { title: 'Hours', url: 'https://x.example/prices' });
    const list = async (filters: object) =>
      (await base.documents.list(workspaceId, { limit: 20, ...filters })).items.map(({ id }) => id);
    expect(await list({ q: 'PRICES' })).toEqual([two, one]);
    expect(await list({ q: '50%' })).toEqual([one]);
    expect(await list({ q: '%' })).toEqual([one]);
    expect(await list({ q: '_' })).toEqual([]);
    expect(await list({ status: 'queued' })).toEqual([two]);
    expect(await list({ audience: 'staff' })).toEqual([one]);
    expect(await list({ audience: '*' })).toEqual([two]);
    expect(await base.documents.count(workspaceId)).toMatchObject({
      ...{ documents: 2, queued: 1, indexing: 0, indexed: 1, failed: 0 },
    });
  });
});
