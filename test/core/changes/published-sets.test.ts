import { describe, expect, test } from 'vitest';
import { purgeKeptChanges } from '../../../core/changes/published-sets.ts';
import { operatorActor } from '../../../core/contract/actor.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { ChangeDesk } from '../../helpers/stores/knowledge/change-desk.ts';

describe.each(testEngines)('published change sets on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const desk = new ChangeDesk(database);
  const textOf = async (workspace: string, word: string) =>
    (await desk.base.search(workspace, word)).map(({ body }) => body);

  async function openShop() {
    const workspace = await desk.base.workspace();
    const url = 'https://shop.example/hours';
    const hours = await desk.base.add(workspace, 'The shop opens at nine.', { title: 'Hours', url });
    const content = (text: string) =>
      ({ kind: 'document_content', document_id: hours, content: text }) as const;
    return { workspace, hours, url, content };
  }

  test('409: a document that was changed meanwhile is named, nothing is published, and can be taken over again', async () => {
    const { workspace, hours, url, content } = await openShop();
    const set = await desk.stage(workspace, [
      { kind: 'settings', settings: { strictness: 'fallback' } },
      content('The shop opens at ten.'),
    ]);
    await desk.base.add(workspace, 'The shop opens at eight.', { title: 'Hours', url });
    await expect(desk.publish(set)).rejects.toMatchObject({
      ...{ code: 'change_set_conflict', message: 'Changed meanwhile: Hours.' },
    });
    expect((await desk.stores.workspaces.get(workspace)).settings.strictness).toBeUndefined();
    expect(await textOf(workspace, 'shop')).toEqual(['The shop opens at eight.']);
    await desk.sets.takeOver({ workspaceId: workspace, id: set.id, actor: operatorActor });
    await desk.index();
    await desk.publish(set);
    expect(await textOf(workspace, 'shop')).toEqual(['The shop opens at ten.']);
    expect((await desk.base.documents.get(workspace, hours)).title).toBe('Hours');
  });

  test('409: a setting that was changed meanwhile is named', async () => {
    const { workspace } = await openShop();
    const set = await desk.stage(workspace, [{ kind: 'settings', settings: { answer_from: 0.6 } }]);
    await desk.stores.workspaces.update(workspace, { settings: { answer_from: 0.7 } });
    await expect(desk.publish(set)).rejects.toThrow('Changed meanwhile: answer_from.');
  });

  test('409: an undo is refused, and names what was changed since', async () => {
    const { workspace, hours, content } = await openShop();
    const set = await desk.stage(workspace, [content('The shop opens at ten.')]);
    await desk.publish(set);
    await desk.base.changes.change({ workspaceId: workspace, id: hours }, { title: 'Times' });
    await expect(desk.undo(set)).rejects.toThrow('Changed meanwhile: Hours.');
  });

  test('409: a document that is gone cannot be taken over; its change is taken out', async () => {
    const { workspace, hours, content } = await openShop();
    const set = await desk.stage(workspace, [content('The shop opens at ten.')]);
    await desk.base.documents.delete(workspace, hours);
    await desk.sets.takeOver({ workspaceId: workspace, id: set.id, actor: operatorActor });
    await expect(desk.publish(set)).rejects.toThrow('Changed meanwhile: Hours.');
  });

  test('409: a set is published once, and neither staged into, discarded nor undone twice', async () => {
    const { workspace, content } = await openShop();
    const set = await desk.stage(workspace, [content('The shop opens at ten.')]);
    await desk.publish(set);
    const closed = { code: 'change_set_closed' };
    const target = { workspaceId: workspace, id: set.id, actor: operatorActor };
    await expect(desk.publish(set)).rejects.toMatchObject(closed);
    await expect(desk.sets.put(target, content('x'))).rejects.toMatchObject(closed);
    await expect(desk.sets.discard(target)).rejects.toMatchObject(closed);
    await desk.undo(set);
    await expect(desk.undo(set)).rejects.toMatchObject(closed);
  });

  test('an undo brings a removed document back under its id, also after its rows are gone', async () => {
    const { workspace, hours } = await openShop();
    const set = await desk.stage(workspace, [{ kind: 'document_removed', document_id: hours }]);
    await desk.publish(set);
    expect(await textOf(workspace, 'shop')).toEqual([]);
    await desk.undo(set);
    expect(await textOf(workspace, 'shop')).toEqual(['The shop opens at nine.']);
    expect(await desk.base.documents.get(workspace, hours)).toMatchObject({
      ...{ title: 'Hours', url: 'https://shop.example/hours', status: 'indexed' },
    });
  });

  test('409: after 30 days the former text is forgotten, and the set cannot be taken back', async () => {
    const { workspace, content } = await openShop();
    const set = await desk.stage(workspace, [content('The shop opens at ten.')]);
    const { publishedAt } = await desk.publish(set);
    const later = (days: number) => new Date((publishedAt?.getTime() ?? 0) + days * 24 * 3_600_000);
    const purge = (now: Date) =>
      database.kysely.transaction().execute((transaction) => purgeKeptChanges({ transaction, now }));
    await purge(later(29));
    expect((await desk.items(set))[0]?.kept?.document?.title).toBe('Hours');
    await purge(later(31));
    expect((await desk.items(set))[0]?.kept).toBeNull();
    await expect(desk.undo(set)).rejects.toMatchObject({ code: 'change_set_too_old' });
  });

  test('a discarded set leaves no hidden workspace that is not deleted', async () => {
    const { workspace, content } = await openShop();
    const set = await desk.stage(workspace, [content('The shop opens at ten.')]);
    await desk.sets.discard({ workspaceId: workspace, id: set.id, actor: operatorActor });
    await expect(desk.sets.get(workspace, set.id)).rejects.toMatchObject({ code: 'change_set_not_found' });
    const { deleted_at } = await database.kysely
      .selectFrom('workspace')
      .select('deleted_at')
      .where('id', '=', set.stagingId)
      .executeTakeFirstOrThrow();
    expect(deleted_at).not.toBeNull();
  });

  test('404: a set of another workspace is not found', async () => {
    const { workspace, content } = await openShop();
    const other = await openShop();
    const set = await desk.stage(workspace, [content('The shop opens at ten.')]);
    await expect(desk.publish({ ...set, workspaceId: other.workspace })).rejects.toMatchObject({
      code: 'change_set_not_found',
    });
  });
});
