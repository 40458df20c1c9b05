import { describe, expect, test } from 'vitest';
import { openTestChannels } from '../../helpers/stores/open-test-channels.ts';
import { testEngines } from '../../helpers/stores/test-databases.ts';

describe.each(testEngines)('channels that share an app, on %s,', async (engine) => {
  const open = await openTestChannels(engine);
  const { channels, accounts, platform, workspace, wanted, add, rowOf, makeWorkspace } = open;
  const other = await makeWorkspace();
  const ofTeam = (team: string, parent: string) => ({
    parent,
    name: team,
    credentials: { token: `token-of-${team}` },
    settings: { team },
  });

  test('inherit the fields that they lack from their parent', async () => {
    const parent = await add();
    platform.taken();
    const child = await add(ofTeam('red', parent.id), other.id);
    expect(platform.taken()).toEqual(['/probe', '/prepare']);
    expect(child).toMatchObject({
      workspaceId: other.id,
      parentId: parent.id,
      tenant: 'red',
      status: 'connected',
      settings: { team: 'red' },
      webhookUrl: parent.webhookUrl,
    });
    const [above, below] = [await accounts.account(parent.id), await accounts.account(child.id)];
    expect(below).toMatchObject({
      credentials: { ...wanted.credentials, token: 'token-of-red' },
      settings: { ...wanted.settings, team: 'red' },
      secret: above?.secret,
      webhookUrl: above?.webhookUrl,
    });
    expect(JSON.stringify(await rowOf(child.id))).not.toContain('token-of-red');
    await channels.change(workspace.id, parent.id, { credentials: { signing_key: 'another-key-1' } });
    const credentials = { token: 'token-of-red', signing_key: 'another-key-1' };
    expect((await accounts.account(child.id))?.credentials).toEqual(credentials);
    expect(await open.join().accounts.account(child.id)).toMatchObject({ credentials });
  });

  test('can be changed and listed like others, and keep their team', async () => {
    const parent = await add();
    const child = await add(ofTeam('blue', parent.id), other.id);
    const changed = await channels.change(other.id, child.id, {
      name: 'Blue',
      credentials: { token: 'newer-token' },
      settings: { api_base_url: null },
    });
    expect(changed).toMatchObject({ name: 'Blue', tenant: 'blue', settings: { team: 'blue' } });
    expect((await accounts.account(child.id))?.credentials).toMatchObject({ token: 'newer-token' });
    for (const team of ['red', null]) {
      const change = channels.change(other.id, child.id, { settings: { team } });
      await expect(change).rejects.toMatchObject({ code: 'invalid_settings' });
    }
    const { items } = await channels.list(other.id, { limit: 1 });
    expect(items).toEqual([changed]);
    const all = await channels.all();
    expect(all.find(({ id }) => id === child.id)).toEqual(changed);
  });

  test('are disabled while their parent is, and deleted with it', async () => {
    const parent = await add();
    const child = await add(ofTeam('green', parent.id), other.id);
    await channels.change(workspace.id, parent.id, { enabled: false });
    expect(await accounts.account(child.id)).toMatchObject({ enabled: false });
    await channels.change(workspace.id, parent.id, { enabled: true });
    expect(await accounts.account(child.id)).toMatchObject({ enabled: true });
    await channels.delete(workspace.id, parent.id);
    expect(await accounts.account(child.id)).toBeNull();
    await expect(channels.get(other.id, child.id)).rejects.toMatchObject({ code: 'channel_not_found' });
  });

  test('are disabled if the parent’s workspace is deleted', async () => {
    const landlord = await makeWorkspace();
    const parent = await add({}, landlord.id);
    const child = await add(ofTeam('white', parent.id), other.id);
    await open.workspaces.delete(landlord.id);
    const { accounts: elsewhere } = open.join();
    expect(await elsewhere.account(child.id)).toBeNull();
    expect(await channels.get(other.id, child.id)).toMatchObject({ tenant: 'white', webhookUrl: null });
  });

  test('are refused if there is no suitable parent, and nothing is stored', async () => {
    const parent = await add();
    const child = await add(ofTeam('grey', parent.id), other.id);
    const plain = await add({ channel: 'plain' });
    const count = async () => (await channels.all()).length;
    const before = await count();
    const cases = [
      ['unknown_parent', ofTeam('a', 'chan_unknown')],
      ['invalid_parent', ofTeam('b', plain.id)],
      ['invalid_parent', ofTeam('c', child.id)],
      ['tenancy_not_supported', { ...ofTeam('d', plain.id), channel: 'plain' }],
      ['tenant_taken', ofTeam('grey', parent.id)],
      ['invalid_settings', { ...ofTeam('e', parent.id), settings: {} }],
      ['invalid_credentials', { ...ofTeam('f', parent.id), credentials: { token: '' } }],
    ] as const;
    for (const [code, refused] of cases)
      await expect(add(refused, other.id), code).rejects.toMatchObject({ code });
    expect(await count()).toBe(before);
  });

  test('for one team at once result in one channel', async () => {
    const parent = await add();
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => add(ofTeam('black', parent.id), other.id)),
    );
    const refused = made.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const { reason } of refused.filter((one) => one.status === 'rejected'))
      expect(reason).toMatchObject({ code: 'tenant_taken' });
  });

  test('for the same team under different parents are independent', async () => {
    const [one, two] = [await add(), await add()];
    const children = [await add(ofTeam('pink', one.id)), await add(ofTeam('pink', two.id), other.id)];
    const found = [
      await accounts.children(one.id, ['pink', 'none']),
      await accounts.children(two.id, ['pink']),
    ];
    expect(found.map((each) => [...each])).toEqual(children.map(({ id }) => [['pink', id]]));
  });
});
