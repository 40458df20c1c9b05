import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { whenSettled } from '../../core/base/async.ts';
import { createLogThrottle } from '../../core/base/log.ts';
import { createAccountFinder } from '../../core/channels/accounts/channel-accounts.ts';
import { listListenableAccounts, renewListenLease } from '../../core/channels/accounts/listen-lease.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { Listener, type ListenerDependencies } from './listener.ts';

/** Interval at which new channels, and channels whose process died, are picked up. */
const RECONCILE_INTERVAL_MS = 2_000;

interface ListenState extends ListenerDependencies {
  readonly connectors: Runtime['connectors'];
  readonly listeners: Map<string, Listener>;
  /**
   * Listeners that are stopping. A channel that is needed again starts only after its old listener has stopped.
   */
  readonly leaving: Map<string, Promise<void>>;
  /** Returns true if the channel was not logged recently. */
  readonly isNews: (channelId: string) => boolean;
}

/**
 * Starts the worker that listens to channels whose platforms do not send webhooks, each channel in one process.
 * The returned function stops it.
 */
export async function runListenWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const shutdownController = new AbortController();
  const listening: ListenState = {
    ...runtime,
    findAccount: createAccountFinder(runtime),
    database: runtime.database.kysely,
    token: randomUUID(),
    listeners: new Map(),
    leaving: new Map(),
    isNews: createLogThrottle(runtime.clock),
  };
  const reconcileLoop = (async () => {
    while (!shutdownController.signal.aborted) {
      await reconcileListeners(listening).catch((err: unknown) => {
        runtime.log.error({ err }, 'reconciling listeners failed');
      });
      await wait(RECONCILE_INTERVAL_MS, undefined, { signal: shutdownController.signal }).catch(() => {
        // Aborted: the loop checks the signal.
      });
    }
  })();
  return async () => {
    shutdownController.abort();
    await reconcileLoop;
    const { listeners, leaving } = listening;
    await Promise.all([...leaving.values(), ...[...listeners.values()].map((listener) => listener.stop())]);
  };
}

/** Renews held leases, acquires free ones, and stops listeners whose lease or channel is gone. */
async function reconcileListeners(listening: ListenState): Promise<void> {
  const { connectors, database, isNews, leaving, listeners, log, token } = listening;
  const channelIds = [...listeners].flatMap(([id, { isListening }]) => (isListening ? [id] : []));
  const held = await renewListenLease(database, { channelIds, token });
  const kinds = connectors.connectors.flatMap(({ about, manifest }) =>
    about.intakes.includes('listener') ? [manifest.channel] : [],
  );
  const listenable = await listListenableAccounts(database, { kinds, token });
  for (const [id, listener] of listeners) if (!listenable.has(id)) stopListener(listening, id, listener);
  for (const [id, { version, mayTake }] of listenable) {
    if (leaving.has(id)) continue;
    const listener = listeners.get(id) ?? new Listener(listening, id);
    listeners.set(id, listener);
    if (!listener.isListening && !mayTake) continue;
    await listener.tend({ version, isHeld: held.has(id) }).catch((err: unknown) => {
      if (isNews(id)) log.error({ err, channel: id }, 'starting a listener failed');
    });
  }
}

/** Stops a listener. The caller does not await it, because the leases of other listeners would expire meanwhile. */
function stopListener({ listeners, leaving, log }: ListenState, id: string, listener: Listener): void {
  listeners.delete(id);
  const stopped = listener
    .stop()
    .catch((err: unknown) => log.warn({ err, channel: id }, 'stopping a listener failed'));
  leaving.set(id, stopped);
  whenSettled(stopped, () => leaving.delete(id));
}
