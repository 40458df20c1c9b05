import { describe, expect, test } from 'vitest';
import type { NewChannel } from '../../../core/channels/accounts/channel-changes.ts';
import { Authority } from '../../../core/members/authority.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestChannels } from '../../helpers/stores/open-test-channels.ts';

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
    await channels.change(Authority.operator(workspace), parent.id, {
      credentials: { signing_key: 'another-key-1' },
    });
    const credentials = { token: 'token-of-red', signing_key: 'another-key-1' };
    expect((await accounts.account(child.id))?.credentials).toEqual(credentials);
    expect(await open.join().accounts.account(child.id)).toMatchObject({ credentials });
  });

  test('can be changed and listed like others, and keep their team', async () => {
    const parent = await add();
    const child = await add(ofTeam('blue', parent.id), other.id);
    const changed = await channels.change(Authority.operator(other), child.id, {
      name: 'Blue',
      credentials: { token: 'newer-token' },
      settings: { api_base_url: null },
    });
    expect(changed).toMatchObject({ name: 'Blue', tenant: 'blue', settings: { team: 'blue' } });
    expect((await accounts.account(child.id))?.credentials).toMatchObject({ token: 'newer-token' });
    for (const team of ['red', null]) {
      const change = channels.change(Authority.operator(other), child.id, { settings: { team } });
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
    await channels.change(Authority.operator(workspace), parent.id, { enabled: false });
    expect(await accounts.account(child.id)).toMatchObject({ enabled: false });
    await channels.change(Authority.operator(workspace), parent.id, { enabled: true });
    expect(await accounts.account(child.id)).toMatchObject({ enabled: true });
    await channels.delete(Authority.operator(workspace), parent.id);
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

describe.each(testEngines)('channels that share the app of another owner, on %s,', async (engine) => {
  const open = await openTestChannels(engine);
  const { channels, accounts, installs, platform, workspace, wanted, add } = open;
  const { workspace: stranger } = await open.workspaces.create({ name: 'Stranger' });
  const asOwner = (
    one: { readonly id: string; readonly owner: string },
    workspaceIds: string[] | null = null,
  ) =>
    Authority.session(
      {
        person: { id: 'per_sam', name: 'Sam', isOperator: false },
        memberships: [{ ownerId: one.owner, role: 'owner', workspaceIds, requiresProvider: false }],
      },
      { proof: 'password', provenAt: null, ownerId: null },
      one,
    );
  const sam = asOwner(stranger);
  const lender = asOwner(workspace);
  const child = (team: string, parent: string, changed: Partial<NewChannel> = {}): NewChannel => ({
    ...{ channel: 'fake', name: team, enabled: true, parent },
    ...{ credentials: {}, settings: { team, verify: false } },
    ...changed,
  });
  const tokens = { token: 'token-of-the-tenant' };

  test('do not exist for its owner’s guests: the parent is unknown, and so is its link', async () => {
    const parent = await add();
    platform.taken();
    for (const settings of [
      { team: 'a', verify: false },
      { team: 'a', verify: false, api_base_url: platform.url },
      { team: 'a' },
    ]) {
      const refused = channels.create(sam, child('a', parent.id, { settings }));
      await expect(refused).rejects.toMatchObject({ code: 'unknown_parent' });
    }
    await expect(installs.createLink(sam, parent.id)).rejects.toMatchObject({ code: 'channel_not_found' });
    expect(platform.taken()).toEqual([]);
    expect((await channels.list(stranger.id, { limit: 10 })).items).toEqual([]);
    expect([...(await accounts.children(parent.id, ['a']))]).toEqual([]);
  });

  test('of the same owner need the right to change channels in the parent’s workspace too', async () => {
    const beside = await open.makeWorkspace();
    const parent = await add();
    const limited = asOwner(beside, [beside.id]);
    const refused = channels.create(limited, child('b', parent.id));
    await expect(refused).rejects.toMatchObject({ code: 'unknown_parent' });
    expect(await channels.create(asOwner(beside), child('b', parent.id))).toMatchObject({ tenant: 'b' });
  });

  test('are made by an installation where the app is lent, and claim no team by a setting', async () => {
    const parent = await add({ credentials: { ...wanted.credentials, client_secret: 'client-quaver' } });
    await channels.change(lender, parent.id, { shareableWith: [stranger.owner] });
    const claimed = channels.create(sam, child('c', parent.id, { credentials: tokens }));
    await expect(claimed).rejects.toMatchObject({ code: 'invalid_parent' });
    platform.answers.set('/exchange', () => ({ team: 'c', name: 'Team c', token: 'token-granted' }));
    const made = await install(await installs.createLink(sam, parent.id));
    expect(made).toMatchObject({ workspaceId: stranger.id, tenant: 'c', isLent: true });
    const account = await accounts.account(made.id);
    // The tokens of the parent and the secret of its app stay with the parent.
    expect(account?.credentials).toEqual({ token: 'token-granted', signing_key: 'signing-quagga-key' });
    const moved = channels.change(sam, made.id, {
      settings: { api_base_url: 'https://attack.example', verify: false },
      credentials: tokens,
    });
    await expect(moved).rejects.toMatchObject({ code: 'invalid_settings' });
  });

  test('stop at once when it is lent no more, and its messages are its own again', async () => {
    const parent = await add({ credentials: { ...wanted.credentials, client_secret: 'client-quaver' } });
    await channels.change(lender, parent.id, { shareableWith: ['*'] });
    platform.answers.set('/exchange', () => ({ team: 'd', name: 'Team d', token: 'token-granted' }));
    const link = await installs.createLink(sam, parent.id);
    const made = await install(await installs.createLink(sam, parent.id));
    expect([...(await accounts.children(parent.id, ['d']))]).toEqual([['d', made.id]]);
    await channels.change(lender, parent.id, { shareableWith: [] });
    expect(await accounts.account(made.id)).toBeNull();
    expect([...(await accounts.children(parent.id, ['d']))]).toEqual([]);
    expect(await channels.get(stranger.id, made.id)).toMatchObject({ status: 'error', webhookUrl: null });
    platform.taken();
    await channels.check(stranger.id, made.id);
    expect(platform.taken()).toEqual([]);
    await expect(install(link)).rejects.toMatchObject({ code: 'install_link_not_found' });
  });

  test('made before keep nothing of a parent that nobody lent, whatever address they chose', async () => {
    const parent = await add();
    const made = await channels.create(
      Authority.operator(stranger),
      child('e', parent.id, { credentials: tokens }),
    );
    await open.alterChannel(made.id, {
      settings: JSON.stringify({ team: 'e', api_base_url: 'https://attack.example' }),
    });
    accounts.forget();
    // The operator's token has lent the app by naming it, so the child works, at the platform of the parent.
    const lent = await accounts.account(made.id);
    expect(lent?.settings).toMatchObject({ api_base_url: platform.url });
    expect(lent?.credentials).toEqual({ ...tokens, signing_key: wanted.credentials.signing_key });
    await open.alterChannel(parent.id, { shareable_with: [] });
    accounts.forget();
    expect(await accounts.account(made.id)).toBeNull();
  });

  async function install({ url }: { readonly url: string }) {
    const token = url.split('/').at(-1) ?? '';
    const browser = 'b'.repeat(43);
    const state = new URL(await installs.begin(token, browser)).searchParams.get('state') ?? '';
    return installs.finish({ state, code: 'c-1', refusal: null, browser });
  }
});

describe.each(testEngines)('stored credentials, on %s,', async (engine) => {
  const { channels, platform, workspace, wanted, add } = await openTestChannels(engine);
  const authority = Authority.operator(workspace);
  const address = { api_base_url: 'https://attack.example' };

  test('go to no new address without being given again, and nothing is asked there before', async () => {
    const channel = await add();
    platform.taken();
    for (const credentials of [undefined, { token: 'token-of-another-bot' }]) {
      const moved = channels.change(authority, channel.id, { settings: address, credentials });
      await expect(moved).rejects.toMatchObject({
        code: 'credentials_required',
        message: expect.stringContaining('credentials.signing_key again'),
      });
    }
    expect(platform.taken()).toEqual([]);
    expect((await channels.get(workspace.id, channel.id)).settings).toEqual({ api_base_url: platform.url });
    const given = { settings: { ...address, verify: false }, credentials: wanted.credentials };
    expect((await channels.change(authority, channel.id, given)).settings).toEqual(address);
  });

  test('of a parent are not sent to the address of a child either', async () => {
    const parent = await add();
    platform.taken();
    const settings = { team: 'f', ...address };
    const refused = add({ parent: parent.id, credentials: { token: 'token-of-the-child' }, settings });
    await expect(refused).rejects.toMatchObject({ code: 'credentials_required' });
    expect(platform.taken()).toEqual([]);
  });
});
