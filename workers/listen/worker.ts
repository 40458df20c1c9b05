import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { whenSettled } from '../../core/async.ts';
import { createAccountFinder } from '../../core/channels/channel-accounts.ts';
import { createLogThrottle } from '../../core/log.ts';
import type { Runtime } from '../../core/runtime.ts';
import { canListen, Listener, type ListenerDependencies, renewListenLease } from './listener.ts';

/** How soon a new channel, or one whose process died, is listened to. */
const lookMs = 2_000;

interface Listening extends ListenerDependencies {
  readonly connectors: Runtime['connectors'];
  readonly listeners: Map<string, Listener>;
  /** The ends of those that nobody wants any more: one that is wanted again begins after its end. */
  readonly leaving: Map<string, Promise<void>>;
  /** Whether a channel was last named in the log a while ago. */
  readonly isNews: (channelId: string) => boolean;
}

/** Listens to the channels whose platforms do not call us, each in one process, until the returned function is called. */
export async function runListenWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const listening: Listening = {
    ...runtime,
    findAccount: createAccountFinder(runtime),
    database: runtime.database.kysely,
    token: randomUUID(),
    listeners: new Map(),
    leaving: new Map(),
    isNews: createLogThrottle(runtime.clock),
  };
  const looking = (async () => {
    while (!ending.signal.aborted) {
      await reconcileListeners(listening).catch((err: unknown) => {
        runtime.log.error({ err }, 'the channels to listen to could not be looked up');
      });
      await wait(lookMs, undefined, { signal: ending.signal }).catch(() => {
        // Rejects when it is cut short: whoever waits looks at the signal.
      });
    }
  })();
  return async () => {
    ending.abort();
    await looking;
    const { listeners, leaving } = listening;
    await Promise.all([...leaving.values(), ...[...listeners.values()].map((listener) => listener.stop())]);
  };
}

/** Keeps what is held, takes what nobody holds, and lets go of what is no longer ours or no longer there. */
async function reconcileListeners(listening: Listening): Promise<void> {
  const { database, isNews, leaving, listeners, log, token } = listening;
  const channelIds = [...listeners].flatMap(([id, { isListening }]) => (isListening ? [id] : []));
  const held = await renewListenLease(database, { channelIds, token });
  const wanted = await listListenableAccounts(listening);
  for (const [id, listener] of listeners) if (!wanted.has(id)) stopListener(listening, id, listener);
  for (const [id, { version, mayTake }] of wanted) {
    if (leaving.has(id)) continue;
    const listener = listeners.get(id) ?? new Listener(listening, id);
    listeners.set(id, listener);
    if (!listener.isListening && !mayTake) continue;
    await listener.tend({ version, isHeld: held.has(id) }).catch((err: unknown) => {
      if (isNews(id)) log.error({ err, channel: id }, 'a channel cannot be listened to');
    });
  }
}

interface Listenable {
  /** Of its keys, by which it is seen that they changed. */
  readonly version: string;
  /** Whether no other process has it. */
  readonly mayTake: boolean;
}

/** The channels of kinds that can be listened to. */
async function listListenableAccounts({
  connectors,
  database,
  token,
}: Listening): Promise<ReadonlyMap<string, Listenable>> {
  const kinds = connectors.connectors.flatMap(({ listen, manifest }) => (listen ? [manifest.channel] : []));
  if (kinds.length === 0) return new Map();
  const rows = await database
    .selectFrom('channel')
    .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
    .select([
      'channel.id',
      sql<string>`concat(channel.revision, ' ', md5(channel.settings::text))`.as('version'),
      canListen(token).as('mayTake'),
    ])
    .where('channel.channel', 'in', kinds)
    .where('channel.enabled', '=', true)
    .where('channel.parent_id', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

/** Nobody waits for it: leases of others would run out meanwhile. */
function stopListener({ listeners, leaving, log }: Listening, id: string, listener: Listener): void {
  listeners.delete(id);
  const left = listener
    .stop()
    .catch((err: unknown) => log.warn({ err, channel: id }, 'a channel could not be let go of'));
  leaving.set(id, left);
  whenSettled(left, () => leaving.delete(id));
}
