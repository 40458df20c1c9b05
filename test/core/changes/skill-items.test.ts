import { describe, expect, test } from 'vitest';
import type { Change } from '../../../core/changes/change-item.ts';
import { viewItems } from '../../../core/changes/item-views.ts';
import { operatorActor } from '../../../core/contract/actor.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { ChangeDesk } from '../../helpers/stores/knowledge/change-desk.ts';

const actor = operatorActor;
const fields = {
  description: 'Looks up where an order is.',
  parameters: { type: 'object', properties: { order_id: { type: 'string' } } },
  url: 'https://shop.example/orders',
  runs_for: 'everyone',
  enabled: true,
} as const;

describe.each(testEngines)('staged skills on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const desk = new ChangeDesk(database);
  const { httpSkills } = desk.stores;

  /** A shop with a skill, and the state of all its skills. */
  async function openShop() {
    const workspaceId = await desk.base.workspace();
    const { runs_for: runsFor, ...rest } = fields;
    const orders = { ...rest, runsFor, name: 'order_status', timeoutMs: 10_000 };
    const { skill } = await httpSkills.create(workspaceId, orders);
    const skills = async () =>
      (await httpSkills.list(workspaceId, { limit: 9 })).items
        .map(({ name, url, enabled }) => ({ name, url, enabled }))
        .toSorted((one, other) => one.name.localeCompare(other.name));
    const stage = (...changes: Change[]) => desk.stage(workspaceId, changes);
    return { workspaceId, id: skill.id, skills, stage };
  }

  const stock = { kind: 'skill_new', name: 'stock', timeout_seconds: 5, ...fields } as const;

  test('nothing of them is live until they are published, and an undo puts all back', async () => {
    const { id, skills, stage } = await openShop();
    const before = await skills();
    const set = await stage(
      { kind: 'skill_changed', skill_id: id, fields: { url: 'https://shop.example/v2' } },
      { kind: 'skill_changed', skill_id: id, fields: { enabled: false } },
      stock,
    );
    expect(await skills()).toEqual(before);
    await desk.publish(set);
    expect(await skills()).toEqual([
      { name: 'order_status', url: 'https://shop.example/v2', enabled: false },
      { name: 'stock', url: fields.url, enabled: true },
    ]);
    await desk.undo(set);
    expect(await skills()).toEqual(before);
  });

  test('a removed one comes back with its secret', async () => {
    const { workspaceId, id, skills, stage } = await openShop();
    const secret = () =>
      database.kysely.selectFrom('http_skill').select('secret_encrypted').where('id', '=', id).execute();
    const sealed = await secret();
    const before = await skills();
    const set = await stage({ kind: 'skill_removed', skill_id: id });
    await desk.publish(set);
    expect(await skills()).toEqual([]);
    expect(await httpSkills.enabledFor(workspaceId)).toEqual([]);
    await desk.undo(set);
    expect([await skills(), await secret()]).toEqual([before, sealed]);
  });

  test('are shown as the fields that change, also after publishing', async () => {
    const { workspaceId, id, stage } = await openShop();
    const set = await stage({ kind: 'skill_changed', skill_id: id, fields: { enabled: false } });
    const view = async () => {
      const current = await desk.sets.get(workspaceId, set.id);
      return (await viewItems(database.kysely, current, await desk.items(current)))[0];
    };
    const shown = {
      ...{ name: 'order_status', lines: [], status: null },
      settings: [{ name: 'enabled', before: true, after: false }],
    };
    expect(await view()).toMatchObject(shown);
    await desk.publish(set);
    expect(await view()).toMatchObject(shown);
  });

  test('409: a field that was changed meanwhile is named and can be taken over again; another field is no conflict', async () => {
    const { workspaceId, id, skills, stage } = await openShop();
    const set = await stage({ kind: 'skill_changed', skill_id: id, fields: { enabled: false } });
    await httpSkills.change(workspaceId, id, { description: 'Finds orders.', enabled: false });
    await expect(desk.publish(set)).rejects.toThrow('Changed meanwhile: order_status (enabled).');
    await httpSkills.change(workspaceId, id, { enabled: true });
    const published = await desk.publish(set);
    expect((await skills())[0]?.enabled).toBe(false);
    await httpSkills.change(workspaceId, id, { enabled: true });
    await expect(desk.undo(published)).rejects.toThrow('Changed meanwhile: order_status (enabled).');
  });

  test('409: a name that is taken by now, and a skill that is gone, are named', async () => {
    const { workspaceId, id, stage } = await openShop();
    const added = await stage(stock);
    const { runs_for: runsFor, ...rest } = fields;
    await httpSkills.create(workspaceId, { ...rest, runsFor, name: 'stock', timeoutMs: 1_000 });
    await expect(desk.publish(added)).rejects.toThrow('Changed meanwhile: stock.');
    const removal = await stage({ kind: 'skill_removed', skill_id: id });
    await httpSkills.delete(workspaceId, id);
    await expect(desk.publish(removal)).rejects.toThrow('Changed meanwhile: order_status.');
    await desk.sets.takeOver({ workspaceId, id: removal.id, actor });
    await expect(desk.publish(removal)).rejects.toThrow('Changed meanwhile: order_status.');
  });

  test('400, 404 and 409: nothing is staged that could not be saved either', async () => {
    const { id, stage } = await openShop();
    const other = await openShop();
    const code = (change: Change) => stage(change).then(undefined, (error) => error.code);
    expect(await code({ ...stock, name: 'order_status' })).toBe('skill_name_taken');
    expect(await code({ ...stock, name: 'Stock!' })).toBe('invalid_name');
    expect(await code({ ...stock, url: 'ftp://shop.example' })).toBe('invalid_url');
    expect(await code({ kind: 'skill_removed', skill_id: other.id })).toBe('skill_not_found');
    expect(
      await code({ kind: 'skill_changed', skill_id: id, fields: { parameters: { type: 'string' } } }),
    ).toBe('invalid_parameters');
  });
});
