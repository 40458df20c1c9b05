import { describe, expect, test } from 'vitest';
import { Authority } from '../../../core/members/authority.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestChannels } from '../../helpers/stores/open-test-channels.ts';

const browser = 'b'.repeat(43);

describe.each(testEngines)('installing the app of a channel, on %s,', async (engine) => {
  const open = await openTestChannels(engine);
  const { installs, channels, accounts, platform, workspace, wanted, add, makeWorkspace, pass } = open;
  const customer = await makeWorkspace();
  const parent = await add({ credentials: { ...wanted.credentials, client_secret: 'client-quaver' } });
  platform.answers.set('/exchange', ({ code }) => ({
    team: String(code).split('-')[0],
    name: `Team ${String(code).split('-')[0]}`,
    token: `token-${String(code)}`,
  }));
  const link = async (workspaceId = customer.id) => {
    const { url } = await installs.createLink(
      Authority.operator({ id: workspaceId, owner: workspace.owner }),
      parent.id,
    );
    return url.split('/').at(-1) ?? '';
  };
  /** Runs an installation up to the platform’s consent page. */
  const begin = async (token: string, own = browser) => {
    const url = new URL(await installs.begin(token, own));
    return url.searchParams.get('state') ?? '';
  };
  const back = (state: string, code: string | null, own: string | null = browser) =>
    installs.finish({ state, code, refusal: code === null ? 'access_denied' : null, browser: own });
  const notFound = { code: 'install_link_not_found' };

  test('creates a channel in the link’s workspace, with the granted fields and the parent’s others', async () => {
    const { url, expiresAt } = await installs.createLink(Authority.operator(customer), parent.id);
    expect(url).toMatch(/^https:\/\/help\.example\/install\/[\w-]{43}$/);
    expect(expiresAt.getTime() - open.clock.now().getTime()).toBe(3_600_000);
    const asked = new URL(await installs.begin(url.split('/').at(-1) ?? '', browser));
    expect(asked.href).toMatch(new RegExp(`^${platform.url}/authorise\\?`));
    expect(asked.searchParams.get('redirect_uri')).toBe('https://help.example/install/callback');
    const made = await back(asked.searchParams.get('state') ?? '', 'red-1');
    expect(made).toMatchObject({
      workspaceId: customer.id,
      parentId: parent.id,
      tenant: 'red',
      name: 'Team red',
      status: 'connected',
      settings: { team: 'red' },
    });
    expect((await accounts.account(made.id))?.credentials).toMatchObject({
      token: 'token-red-1',
      signing_key: wanted.credentials.signing_key,
    });
    const row = JSON.stringify(await open.rowOf(made.id));
    expect(row + JSON.stringify(made)).not.toContain('token-red-1');
  });

  test('a second time renews the granted fields of the existing channel', async () => {
    const first = await back(await begin(await link()), 'blue-1');
    const again = await back(await begin(await link()), 'blue-2');
    expect(again.id).toBe(first.id);
    expect((await accounts.account(first.id))?.credentials).toMatchObject({ token: 'token-blue-2' });
  });

  test('does not take a team from another workspace', async () => {
    const first = await back(await begin(await link()), 'green-1');
    const token = await link(workspace.id);
    await expect(back(await begin(token), 'green-2')).rejects.toMatchObject({ code: 'tenant_taken' });
    expect(await channels.get(customer.id, first.id)).toEqual(first);
    expect((await accounts.account(first.id))?.credentials).toMatchObject({ token: 'token-green-1' });
  });

  test('succeeds once for each link, however often the callback is called', async () => {
    const token = await link();
    const state = await begin(token);
    await back(state, 'white-1');
    await expect(back(state, 'white-2')).rejects.toMatchObject(notFound);
    await expect(installs.begin(token, browser)).rejects.toMatchObject(notFound);
    const raced = await begin(await link());
    const both = await Promise.allSettled([back(raced, 'grey-1'), back(raced, 'grey-2')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('through two links at once creates one channel', async () => {
    const states = [await begin(await link()), await begin(await link())];
    const [one, two] = await Promise.all(states.map((state, index) => back(state, `black-${index}`)));
    expect(one?.id).toBe(two?.id);
    expect([...(await accounts.children(parent.id, ['black']))]).toEqual([['black', one?.id]]);
  });

  test('fails after an hour, and for an invalid link', async () => {
    const token = await link();
    const state = await begin(token);
    pass(3_600_000);
    await expect(back(state, 'late-1')).rejects.toMatchObject(notFound);
    await expect(installs.begin(token, browser)).rejects.toMatchObject(notFound);
    for (const odd of ['', '.', 'x.y', `${'x'.repeat(43)}.`, '\u0000'])
      await expect(back(odd, 'odd-1'), odd).rejects.toMatchObject(notFound);
    expect([...(await accounts.children(parent.id, ['late', 'odd']))]).toEqual([]);
  });

  test('is refused in another browser than it started in, and continues in the original one', async () => {
    const state = await begin(await link());
    const refused = { code: 'install_in_other_browser' };
    for (const own of [null, 'c'.repeat(43)])
      await expect(back(state, 'pink-1', own)).rejects.toMatchObject(refused);
    const [token = ''] = state.split('.');
    await expect(back(`${token}.`, 'pink-1', null)).rejects.toMatchObject(refused);
    expect(await back(state, 'pink-1')).toMatchObject({ tenant: 'pink' });
  });

  test('leaves the link valid if the platform or the person declines, and reveals no secrets', async () => {
    const state = await begin(await link());
    const declined = { code: 'install_declined', message: 'The platform reported: access_denied.' };
    await expect(back(state, null)).rejects.toMatchObject(declined);
    platform.refusals.set('/exchange', 'invalid_client_secret client-quaver');
    const failed = back(state, 'gold-1');
    await expect(failed).rejects.toMatchObject({
      code: 'channel_verification_failed',
      message: 'invalid_client_secret [secret]',
    });
    platform.refusals.clear();
    expect(await back(state, 'gold-1')).toMatchObject({ tenant: 'gold' });
    expect(open.logged.join()).not.toMatch(/quaver|token-gold/);
  });

  test('of an incomplete app fails with the missing field, both for creating a link and for opening one', async () => {
    const bare = await add({ credentials: wanted.credentials });
    const refused = {
      code: 'app_not_installable',
      message: 'Add client_secret to the credentials beside [secret].',
    };
    const linkOf = () => installs.createLink(Authority.operator(customer), bare.id);
    await expect(linkOf()).rejects.toMatchObject(refused);
    await channels.change(Authority.operator(workspace), bare.id, {
      credentials: { client_secret: 'client-quoin' },
    });
    const { url } = await linkOf();
    await channels.change(Authority.operator(workspace), bare.id, { credentials: { client_secret: null } });
    await expect(installs.begin(url.split('/').at(-1) ?? '', browser)).rejects.toMatchObject(refused);
  });

  test('requires a platform with OAuth and a public URL', async () => {
    const plain = await add({ channel: 'plain' });
    const child = await back(await begin(await link()), 'cyan-1');
    const forWorkspace = (channelId: string) => installs.createLink(Authority.operator(customer), channelId);
    await expect(forWorkspace('chan_none')).rejects.toMatchObject({ code: 'channel_not_found' });
    await expect(forWorkspace(plain.id)).rejects.toMatchObject({ code: 'tenancy_not_supported' });
    await expect(forWorkspace(child.id)).rejects.toMatchObject({ code: 'invalid_parent' });
    const { installs: unreachable } = open.join({ publicUrl: undefined });
    const nowhere = unreachable.createLink(Authority.operator(customer), parent.id);
    await expect(nowhere).rejects.toMatchObject({ code: 'no_public_address' });
  });
});
