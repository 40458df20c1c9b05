import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../runtime.ts';
import { findAccountIn } from './find-account.ts';
import { Listener, type ListenerDependencies } from './listener.ts';

/** How soon a new channel, or one whose process died, is listened to. */
const lookMs = 2_000;

/** Listens to the channels whose platforms do not call us, each in one process, until the returned function is called. */
export async function runListeners(runtime: Runtime): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const dependencies = {
    ...runtime,
    findAccount: findAccountIn(runtime),
    database: runtime.database.kysely,
    token: randomUUID(),
  };
  const listeners = new Map<string, Listener>();
  const looking = (async () => {
    while (!ending.signal.aborted) {
      await look(dependencies, listeners).catch((err: unknown) => {
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
    await Promise.all([...listeners.values()].map((listener) => listener.stop()));
  };
}

/** Keeps what is held, takes what nobody holds, and lets go of what is no longer ours or no longer there. */
async function look(dependencies: ListenerDependencies, listeners: Map<string, Listener>): Promise<void> {
  const rows = await dependencies.database
    .selectFrom('channel')
    .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
    .select('channel.id')
    .where('channel.enabled', '=', true)
    .where('channel.parent_id', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .execute();
  const wanted = new Set(rows.map(({ id }) => id));
  for (const [id, listener] of listeners) {
    if (wanted.has(id)) continue;
    listeners.delete(id);
    await listener.stop();
  }
  for (const id of wanted) {
    const listener = listeners.get(id) ?? new Listener(dependencies, id);
    listeners.set(id, listener);
    await listener.tend();
  }
}
