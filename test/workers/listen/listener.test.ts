import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import type { AnyConnector } from '../../../core/contract/connector.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { Listener } from '../../../workers/listen/listener.ts';
import { runListenWorker } from '../../../workers/listen/worker.ts';
import { deliveryOf, fakeChannel } from '../../helpers/platforms/fake/channel.ts';
import { addTestChannel } from '../../helpers/stores/add-test-channel.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('a channel with a listener on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const sessions: ListenerTools[] = [];
  const ways: { listen: (tools: ListenerTools) => Promise<void>; intake: 'listener' | 'webhook' } = {
    listen: (tools) => untilAborted(tools.signal),
    intake: 'listener',
  };
  const { connector } = fakeChannel();
  const listening: AnyConnector = {
    ...connector,
    open: (account) => ({
      ...connector.open(account),
      intake: ways.intake,
      listen: async (tools) => {
        sessions.push(tools);
        await ways.listen(tools);
      },
    }),
  };
  const { runtime, channel } = await openTestPipeline({
    environment,
    alter: () => ({ connectors: { connectors: [listening], findConnector: () => listening } }),
  });
  const running: (() => Promise<void>)[] = [];
  const start = async () => {
    const stop = await runListenWorker(runtime);
    running.push(stop);
    return stop;
  };
  const active = () => sessions.filter(({ signal }) => !signal.aborted).length;
  const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const row = () =>
    runtime.database.kysely
      .selectFrom('channel')
      .selectAll()
      .where('id', '=', channel.id)
      .executeTakeFirstOrThrow();

  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(running.splice(0).map((stop) => stop()));
    sessions.length = 0;
    ways.listen = (tools) => untilAborted(tools.signal);
    ways.intake = 'listener';
  });

  test('is listened to by one process, and by another one as soon as that process stops', async () => {
    const [first] = await Promise.all([start(), start()]);
    await eventually(() => expect(sessions).toHaveLength(1));
    await first();
    await eventually(() => expect(active()).toBe(1));
  });

  test('is taken over from a process that died', async () => {
    await runtime.database.pool.query(
      `update channel set listening = 'dead', listening_until = clock_timestamp() + interval '1 second' where id = $1`,
      [channel.id],
    );
    await start();
    await eventually(() => expect(active()).toBe(1));
    expect((await row()).listening).not.toBe('dead');
  });

  test('passes on its deliveries, resumes at its cursor and shows activity', async () => {
    const stop = await start();
    await eventually(() => expect(sessions).toHaveLength(1));
    const [tools] = sessions;
    expect(tools?.cursor).toBeNull();
    await tools?.accept([deliveryOf({ id: `${engine}-1`, chat: 'a', text: 'hello' })]);
    await tools?.keep({ offset: 7 });
    tools?.alive();
    await eventually(async () => expect(await row()).toMatchObject({ status: 'connected' }));
    expect((await row()).heard_at).not.toBeNull();
    await stop();
    await start();
    await eventually(() => expect(sessions.at(-1)?.cursor).toEqual({ offset: 7 }));
  });

  test('is connected and shows its notice to the operator while it applies', async () => {
    await start();
    await eventually(() => expect(sessions).toHaveLength(1));
    sessions[0]?.alive('It is in many servers.');
    await eventually(async () =>
      expect(await row()).toMatchObject({ status: 'connected', last_error: 'It is in many servers.' }),
    );
    sessions[0]?.alive();
    await eventually(async () =>
      expect(await row()).toMatchObject({ status: 'connected', last_error: null }),
    );
  });

  test('keeps a send error when the listener shows activity', async () => {
    await runtime.channelAccounts.setStatus(channel.id, 'connecting', null);
    await start();
    await eventually(() => expect(sessions).toHaveLength(1));
    sessions[0]?.alive();
    await eventually(async () => expect(await row()).toMatchObject({ status: 'connected' }));
    await runtime.channelAccounts.setStatus(channel.id, 'error', 'The token was revoked.');
    sessions[0]?.alive('It is in many servers.');
    await runtime.channelAccounts.keepConnected(channel.id, null);
    expect(await row()).toMatchObject({ status: 'error', last_error: 'The token was revoked.' });
    await runtime.channelAccounts.setStatus(channel.id, 'connecting', null);
    sessions[0]?.alive();
    await eventually(async () => expect(await row()).toMatchObject({ status: 'connected' }));
  });

  test('reports an error and is listened to again', async () => {
    ways.listen = async () => {
      ways.listen = (tools) => untilAborted(tools.signal);
      throw new ConnectorError('Unauthorized', { advice: { retry: 'never' }, account: true });
    };
    await start();
    await eventually(async () =>
      expect(await row()).toMatchObject({ status: 'error', last_error: 'Unauthorized' }),
    );
    await eventually(() => expect(sessions).toHaveLength(2));
  });

  const hourMs = 3_600_000;
  /** A listener driven by the test, with the credentials in `given`. */
  const tended = async (given: { settings: object }) => {
    const open = await createAccountFinder(runtime)(channel.id);
    const findAccount = vi.fn(async () => open && { ...open, account: { ...open.account, ...given } });
    const listener = new Listener(
      { ...runtime, database: runtime.database.kysely, token: 'its own', findAccount },
      channel.id,
    );
    running.push(() => listener.stop());
    vi.useFakeTimers({ toFake: ['performance'] });
    const tend = (version = 'the first') => listener.tend({ version, isHeld: true });
    return { listener, findAccount, tend };
  };

  test('pauses as long as its platform asks, unless its credentials change', async () => {
    const given = { settings: {} };
    const { tend } = await tended(given);
    ways.listen = async () => {
      throw new ConnectorError('Not for a while.', { advice: { retry: 'after', afterMs: hourMs } });
    };
    const refused = async () => {
      await runtime.channelAccounts.setStatus(channel.id, 'connecting', null);
      await tend();
      await eventually(async () => expect(await row()).toMatchObject({ status: 'error' }));
    };
    await refused();
    vi.advanceTimersByTime(hourMs / 2);
    await tend();
    expect(sessions).toHaveLength(1);
    vi.advanceTimersByTime(hourMs / 2);
    await refused();
    expect(sessions).toHaveLength(2);
    given.settings = { bot: 'another' };
    await refused();
    expect(sessions).toHaveLength(3);
  });

  test('restarts with new credentials, even if the change is seen late', async () => {
    const given = { settings: {} };
    const { tend, findAccount } = await tended(given);
    await tend('changed');
    await eventually(() => expect(sessions).toHaveLength(1));
    given.settings = { bot: 'another' };
    await tend('changed');
    expect(sessions[0]?.signal.aborted).toBe(true);
    await eventually(async () => {
      await tend('changed');
      expect(active()).toBe(1);
    });
    vi.advanceTimersByTime(hourMs);
    findAccount.mockClear();
    await tend('changed');
    expect(findAccount).not.toHaveBeenCalled();
    given.settings = { bot: 'a third' };
    await tend('changed again');
    expect(active()).toBe(0);
  });

  test('is only inspected after a change if its platform sends webhooks', async () => {
    const { tend, findAccount } = await tended({ settings: {} });
    ways.intake = 'webhook';
    await tend();
    await tend();
    expect(findAccount).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(hourMs);
    await tend();
    expect(findAccount).toHaveBeenCalledTimes(2);
    ways.intake = 'listener';
    await tend('the second');
    await eventually(() => expect(active()).toBe(1));
  });

  test('is not started by a process that stops meanwhile', async () => {
    const reading = Promise.withResolvers<null>();
    const cursor = vi.spyOn(runtime.channelAccounts, 'cursor').mockReturnValue(reading.promise);
    const { listener, tend } = await tended({ settings: {} });
    await tend();
    const stopped = listener.stop();
    reading.resolve(null);
    await stopped;
    cursor.mockRestore();
    expect(sessions).toEqual([]);
  });

  test('keeps its lease while another listener stops slowly', async () => {
    const { secretBox } = runtime.installation;
    const own = { workspaceId: channel.workspaceId, channel: 'fake', secretBox };
    const other = await addTestChannel(runtime.database.kysely, own);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    ways.listen = () => released;
    await start();
    await eventually(() => expect(sessions).toHaveLength(2));
    await runtime.database.pool.query('update channel set enabled = false where id = $1', [other]);
    await eventually(() => expect(active()).toBe(1));
    const until = async () => (await row()).listening_until?.getTime() ?? 0;
    const before = await until();
    await runtime.database.pool.query('update channel set enabled = true where id = $1', [other]);
    await eventually(async () => expect(await until()).toBeGreaterThan(before));
    expect(sessions).toHaveLength(2);
    ways.listen = (tools) => untilAborted(tools.signal);
    release();
    await eventually(() => expect(active()).toBeGreaterThanOrEqual(2));
    await runtime.database.pool.query('delete from channel where id = $1', [other]);
  });
});

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
