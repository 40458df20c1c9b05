import { Writable } from 'node:stream';
import { afterAll } from 'vitest';
import { createLog, createLogThrottle } from '../../../core/base/log.ts';
import { tellUnreadable } from '../../../core/channels/accounts/channel-account.ts';
import { ChannelAccounts } from '../../../core/channels/accounts/channel-accounts.ts';
import type { NewChannel } from '../../../core/channels/accounts/channel-changes.ts';
import { Channels } from '../../../core/channels/channels.ts';
import { ConnectorCalls, openChannelFetch } from '../../../core/channels/connector-calls.ts';
import { Installs } from '../../../core/channels/installs.ts';
import type { AnyConnector } from '../../../core/contract/connector.ts';
import { Authority } from '../../../core/members/authority.ts';
import { SecretBox } from '../../../core/secrets/secret-box.ts';
import { lentThreads } from '../platforms/connector-tools.ts';
import { fakeConnector } from '../platforms/fake/connector.ts';
import { openFakePlatform } from '../platforms/fake/platform.ts';
import { openTestInbox } from './inbox/open-test-inbox.ts';

/** A channel that nobody shares an app of. */
const plainConnector: AnyConnector = {
  ...fakeConnector,
  manifest: {
    contract: 1,
    channel: 'plain',
    credentials: fakeConnector.manifest.credentials,
    settings: fakeConnector.manifest.settings,
    limits: fakeConnector.manifest.limits,
  },
  open: (account) => {
    const { intake, webhook, listen, probe, normalise, render, deliver, budgets } =
      fakeConnector.open(account);
    return { intake, webhook, listen, probe, normalise, render, deliver, budgets };
  },
};

/** Channels of a workspace on the fake platform, and all that is logged of them. */
export async function openTestChannels(engine: 'embedded' | 'postgres') {
  const inbox = await openTestInbox(engine);
  const platform = await openFakePlatform();
  const { database, clock, workspace } = inbox;
  const secretBox = new SecretBox(Buffer.alloc(32));
  const logged: string[] = [];
  const log = createLog(
    'info',
    new Writable({ write: (line: Buffer, _encoding, done) => done(void logged.push(line.toString())) }),
  );
  const { fetch, resolve, close } = openChannelFetch({ allowPrivate: true });
  afterAll(() => close());
  const publicUrl = 'https://help.example';
  const join = (changed: { deadlineMs?: number; publicUrl?: string | undefined } = {}) => {
    const stores = {
      ...{ database: database.kysely, clock, secretBox, publicUrl },
      tellUnreadable: tellUnreadable(log, createLogThrottle(clock)),
      ...changed,
    };
    const readFile = async () => null;
    const calls = new ConnectorCalls({
      ...{ clock, log, fetch, resolve, readFile, threads: lentThreads },
      ...changed,
    });
    const connectors = [fakeConnector, plainConnector];
    const findConnector = (channel: string) =>
      connectors.find(({ manifest }) => manifest.channel === channel);
    const registry = { connectors, findConnector };
    const accounts = new ChannelAccounts({ ...stores, registry, urgent: database.urgent });
    const channels = new Channels({ ...stores, log, registry, calls, accounts });
    const installs = new Installs({ ...stores, registry, calls, accounts, channels });
    return { accounts, channels, installs };
  };
  const wanted: NewChannel = {
    channel: 'fake',
    name: 'Help bot',
    credentials: { token: 'token-quokka-of-the-bot', signing_key: 'signing-quagga-key' },
    settings: { api_base_url: platform.url },
    enabled: true,
  };
  const { accounts, channels, installs } = join();
  return {
    ...inbox,
    platform,
    secretBox,
    logged,
    accounts,
    channels,
    installs,
    wanted,
    /** As another process would: on the same database, with what it remembers of its own. */
    join,
    add: (changed: Partial<NewChannel> = {}, workspaceId = workspace.id) =>
      channels.create(Authority.operator({ id: workspaceId, owner: inbox.user.ownerId }), {
        ...wanted,
        ...changed,
      }),
    /** Sets columns as no operation would. */
    alterChannel: (id: string, columns: object) =>
      database.kysely.updateTable('channel').set(columns).where('id', '=', id).execute(),
    rowOf: (id: string) =>
      database.kysely.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  };
}
