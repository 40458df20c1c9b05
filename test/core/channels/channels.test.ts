import { describe, expect, test } from 'vitest';
import { Authority } from '../../../core/members/authority.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestChannels } from '../../helpers/stores/open-test-channels.ts';

describe.each(testEngines)('the channels of a workspace on %s', async (engine) => {
  const open = await openTestChannels(engine);
  const { channels, accounts, platform, workspace, wanted, add, rowOf, pass } = open;
  const refused = { code: 'channel_verification_failed' };

  test('are stored encrypted and decrypted for their callers', async () => {
    const channel = await add();
    const row = JSON.stringify(await rowOf(channel.id));
    for (const secret of ['token-quokka', 'signing-quagga']) expect(row).not.toContain(secret);
    const account = await accounts.account(channel.id);
    expect(account).toEqual({
      id: channel.id,
      workspaceId: workspace.id,
      channel: 'fake',
      enabled: true,
      credentials: wanted.credentials,
      settings: wanted.settings,
      secret: expect.stringMatching(/^[\w-]{43}$/),
      webhookUrl: `https://help.example/webhooks/${channel.id}`,
      profile: { bot: 'Ada', id: 7 },
      parentId: null,
    });
    expect(row).not.toContain(account?.secret);
    expect(JSON.stringify(channel)).not.toMatch(/quokka|quagga/);
    expect(open.logged.join()).not.toMatch(/quokka|quagga/);
  });

  test('are probed first and then registered with the platform', async () => {
    platform.taken();
    const { id, status, lastError, profile, webhookUrl } = await add();
    expect({ status, lastError, profile }).toEqual({
      status: 'connected',
      lastError: null,
      profile: { bot: 'Ada', id: 7 },
    });
    const [, enrolled] = platform.calls;
    const secret = (await accounts.account(id))?.secret;
    expect(enrolled).toMatchObject({ path: '/enrol', body: { url: webhookUrl, secret } });
    expect(platform.taken()).toEqual(['/probe', '/enrol', '/prepare']);
  });

  test('work without their optional set-up, and the log gives the reason', async () => {
    platform.refusals.set('/prepare', 'too many commands for token-quokka-of-the-bot');
    expect(await add()).toMatchObject({ status: 'connected', lastError: null });
    expect(open.logged.join()).toContain('too many commands for [secret]');
    platform.refusals.clear();
  });

  test('with a listener have no webhook URL and are not registered', async () => {
    platform.taken();
    const settings = { ...wanted.settings, mode: 'polling' };
    expect(await add({ settings })).toMatchObject({ webhookUrl: null, status: 'connected' });
    expect(platform.taken()).toEqual(['/probe', '/prepare']);
  });

  test('are not stored if the platform rejects them, and the error contains no secrets', async () => {
    const count = async () => (await channels.list(workspace.id, { limit: 100 })).items.length;
    const before = await count();
    platform.refusals.set('/probe', 'Unauthorized: token-quokka-of-the-bot is revoked');
    const detail = 'Unauthorized: [secret] is revoked';
    await expect(add()).rejects.toMatchObject({ ...refused, message: detail });
    expect(await count()).toBe(before);
    const settings = { ...wanted.settings, verify: false };
    expect(await add({ settings })).toMatchObject({ status: 'connected', settings: wanted.settings });
    platform.refusals.clear();
  });

  test('are stored with the reason if the registration fails', async () => {
    platform.refusals.set('/enrol', 'bad webhook: https is needed by token-quokka-of-the-bot');
    const channel = await add();
    expect(channel).toMatchObject({ status: 'error', lastError: 'bad webhook: https is needed by [secret]' });
    platform.refusals.clear();
    const again = await channels.change(Authority.operator(workspace), channel.id, { credentials: {} });
    expect(again).toMatchObject({ status: 'connected', lastError: null });
  });

  test('change only in the given fields, and are verified again if necessary', async () => {
    const channel = await add();
    platform.taken();
    const renamed = await channels.change(Authority.operator(workspace), channel.id, {
      name: 'Other',
      enabled: false,
    });
    expect(renamed).toEqual({ ...channel, name: 'Other', enabled: false });
    const on = await channels.change(Authority.operator(workspace), channel.id, {
      settings: { enabled: true },
    });
    expect(on.enabled).toBe(true);
    expect(platform.taken()).toEqual([]);
    await channels.change(Authority.operator(workspace), channel.id, {
      credentials: { token: 'another-token' },
    });
    expect(platform.taken()).toEqual(['/probe', '/retire', '/enrol', '/prepare']);
    expect((await accounts.account(channel.id))?.credentials).toEqual({
      ...wanted.credentials,
      token: 'another-token',
    });
    const polled = await channels.change(Authority.operator(workspace), channel.id, {
      settings: { mode: 'polling' },
    });
    expect(platform.taken()).toEqual(['/probe', '/retire', '/prepare']);
    expect(polled).toMatchObject({ webhookUrl: null, settings: { ...wanted.settings, mode: 'polling' } });
    const back = await channels.change(Authority.operator(workspace), channel.id, {
      settings: { mode: null },
    });
    expect(platform.taken()).toEqual(['/probe', '/enrol', '/prepare']);
    expect(back.settings).toEqual(wanted.settings);
  });

  test('stay unchanged if the platform rejects the change', async () => {
    const channel = await add();
    platform.refusals.set('/probe', 'Unauthorized');
    const change = { name: 'Other', credentials: { token: 'wrong' } };
    await expect(channels.change(Authority.operator(workspace), channel.id, change)).rejects.toMatchObject(
      refused,
    );
    platform.refusals.clear();
    expect(await channels.get(workspace.id, channel.id)).toEqual(channel);
    expect((await accounts.account(channel.id))?.credentials).toEqual(wanted.credentials);
  });

  test('are unregistered on removal, whatever the platform responds', async () => {
    const channel = await add();
    platform.refusals.set('/retire', 'Unauthorized: token-quokka-of-the-bot');
    platform.taken();
    await channels.delete(Authority.operator(workspace), channel.id);
    platform.refusals.clear();
    expect(platform.taken()).toEqual(['/retire']);
    expect(await accounts.account(channel.id)).toBeNull();
    expect(open.logged.at(-1)).toContain('Unauthorized: [secret]');
  });

  test('do not wait for a platform that does not respond', async () => {
    platform.refusals.set('/probe', null);
    const { channels: hurried } = open.join({ deadlineMs: 50 });
    const words = 'The platform did not answer within 0.05 seconds.';
    await expect(hurried.create(Authority.operator(workspace), wanted)).rejects.toMatchObject({
      ...refused,
      message: words,
    });
    platform.refusals.clear();
  });

  test('are not found in other workspaces or deleted ones', async () => {
    const other = await open.makeWorkspace();
    const { id } = await add();
    const code = 'channel_not_found';
    await expect(channels.get(other.id, id)).rejects.toMatchObject({ code });
    await expect(channels.change(Authority.operator(other), id, { name: 'x' })).rejects.toMatchObject({
      code,
    });
    await expect(channels.delete(Authority.operator(other), id)).rejects.toMatchObject({ code });
    expect((await channels.list(other.id, { limit: 10 })).items).toEqual([]);
    const { id: orphan } = await add({}, other.id);
    await open.workspaces.delete(other.id);
    expect(await accounts.account(orphan)).toBeNull();
  });

  test('are decrypted once for many webhooks, and show changes of other processes within five seconds', async () => {
    const { id } = await add();
    const here = await accounts.account(id);
    const elsewhere = open.join();
    const there = await elsewhere.accounts.account(id);
    expect(await accounts.account(id)).toBe(here);
    await channels.change(Authority.operator(workspace), id, { enabled: false });
    expect((await accounts.account(id))?.enabled).toBe(false);
    expect(await elsewhere.accounts.account(id)).toBe(there);
    pass(5_001);
    expect((await elsewhere.accounts.account(id))?.enabled).toBe(false);
    expect(await accounts.account('chan_none')).toBeNull();
  });

  test('report the last activity, which is written every ten seconds at most', async () => {
    const settings = { ...wanted.settings, mode: 'polling', verify: false };
    const { id, status } = await add({ settings });
    expect(status).toBe('connecting');
    const elsewhere = open.join();
    const first = open.clock.now();
    await accounts.recordActivity(id, first);
    expect(await channels.get(workspace.id, id)).toMatchObject({ heardAt: first, status: 'connected' });
    pass(9_000);
    await accounts.recordActivity(id, open.clock.now());
    await elsewhere.accounts.recordActivity(id, open.clock.now());
    expect((await channels.get(workspace.id, id)).heardAt).toEqual(first);
    pass(1_000);
    await accounts.recordActivity(id, open.clock.now());
    expect((await channels.get(workspace.id, id)).heardAt).toEqual(open.clock.now());
  });

  test('keep their status and the listener’s cursor', async () => {
    const { id } = await add();
    await accounts.setStatus(id, 'error', 'The token was revoked.\0');
    await accounts.recordActivity(id, open.clock.now());
    const state = { status: 'error', lastError: 'The token was revoked.' };
    expect(await channels.get(workspace.id, id)).toMatchObject(state);
    expect(await accounts.cursor(id)).toBeNull();
    await accounts.keepCursor(id, { offset: 12 });
    expect(await accounts.cursor(id)).toEqual({ offset: 12 });
    await channels.change(Authority.operator(workspace), id, { credentials: { token: 'of another bot' } });
    expect(await accounts.cursor(id)).toBeNull();
  });

  describe('with unreadable credentials', () => {
    const damage = async (id: string) => {
      await open.alterChannel(id, { credentials_encrypted: 'garbage', secret_encrypted: 'garbage' });
      accounts.forget();
    };

    test('can be disabled and renamed, and are repaired by entering all credentials', async () => {
      const { id, webhookUrl } = await add();
      const before = await accounts.account(id);
      await damage(id);
      await expect(accounts.account(id)).rejects.toThrow(/cannot be read/);
      const change = await channels.change(Authority.operator(workspace), id, {
        enabled: false,
        name: 'Broken',
      });
      expect(change).toMatchObject({ status: 'error', name: 'Broken', enabled: false, webhookUrl: null });
      const missing = channels.change(Authority.operator(workspace), id, {
        credentials: { token: 'token-quokka-of-the-bot' },
      });
      await expect(missing).rejects.toMatchObject({ code: 'invalid_credentials' });
      const { credentials, settings } = wanted;
      const healed = await channels.change(Authority.operator(workspace), id, {
        credentials,
        settings,
        enabled: true,
      });
      expect(healed).toMatchObject({ status: 'connected', lastError: null, enabled: true, webhookUrl });
      const after = await accounts.account(id);
      expect(after).toMatchObject({ credentials, settings });
      expect(after?.secret).toMatch(/^[\w-]{43}$/);
      expect(after?.secret).not.toBe(before?.secret);
    });

    test('can be deleted', async () => {
      const { id } = await add();
      await damage(id);
      platform.taken();
      await channels.delete(Authority.operator(workspace), id);
      expect(platform.taken()).toEqual([]);
      await expect(channels.get(workspace.id, id)).rejects.toMatchObject({ code: 'channel_not_found' });
    });

    test('make their children unreadable, which name the parent as the cause', async () => {
      const parent = await add();
      const ofTeam = {
        parent: parent.id,
        settings: { team: 'grey' },
        credentials: { token: 'token-of-grey' },
      };
      const child = await add(ofTeam);
      await damage(parent.id);
      await expect(accounts.account(child.id)).rejects.toThrow(/cannot be read/);
      expect(await channels.get(workspace.id, child.id)).toMatchObject({ status: 'error' });
      const fault = { code: 'invalid_parent', message: expect.stringContaining(parent.id) };
      const change = channels.change(Authority.operator(workspace), child.id, {
        credentials: { token: 'another-token' },
      });
      await expect(change).rejects.toMatchObject(fault);
      await expect(add({ ...ofTeam, settings: { team: 'pink' } })).rejects.toMatchObject(fault);
    });
  });
});
