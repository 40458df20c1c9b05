import { createListener } from '../../../../connectors/email/listener.ts';
import type { EmailAccount } from '../../../../connectors/email/manifest.ts';
import { normalise } from '../../../../connectors/email/normalise.ts';
import type { Json } from '../../../../core/contract/account.ts';
import type { Delivery } from '../../../../core/contract/inbound.ts';
import type { ListenerTools } from '../../../../core/contract/listener.ts';
import { connectorTools } from '../connector-tools.ts';

/** Returns the memory of processes that listen to a mailbox one after the other. */
export function mailboxMemory() {
  return { cursor: null as Json | null, memory: new Map<string, Json>(), taken: [] as string[] };
}

/** Starts a process that listens; `log` lists its actions in order. */
export function watchMail(
  account: EmailAccount,
  shared: ReturnType<typeof mailboxMemory>,
  changes: {
    accept?: (deliveries: readonly Delivery[]) => Promise<void>;
    beatMs?: number;
    patienceMs?: number;
    runInThread?: ListenerTools['runInThread'];
  } = {},
) {
  const stop = new AbortController();
  const log: string[] = [];
  let moved = Promise.withResolvers<void>();
  const note = (what: string) => {
    log.push(what);
    moved.resolve();
    moved = Promise.withResolvers();
  };
  const { accept = async () => {}, beatMs = 45_000, patienceMs = 60_000 } = changes;
  const { runInThread } = changes;
  const tools = connectorTools({
    now: () => new Date(),
    signal: stop.signal,
    ...(runInThread && { runInThread }),
  });
  const ended = createListener({ beatMs, graceMs: 5_000, patienceMs, pauseMs: 50 })(account, {
    ...tools,
    accept: async (deliveries) => {
      await accept(deliveries);
      for (const { native, remember = [] } of deliveries) {
        const [event] = normalise(native, account);
        const text = event?.type === 'message' ? event.text : (event?.type ?? '');
        shared.taken.push(text);
        for (const { key, value } of remember) shared.memory.set(key, value);
        note(`accept ${text}`);
      }
    },
    keep: async (cursor) => {
      shared.cursor = cursor;
      note('keep');
    },
    alive: () => note('alive'),
    cursor: shared.cursor,
    recall: async (keys) => new Map([...shared.memory].filter(([key]) => keys.includes(key))),
  });
  ended.catch(() => {});
  return {
    log,
    warned: tools.warned,
    ended,
    async until(what: string) {
      while (!log.includes(what)) await Promise.race([moved.promise, ended]);
    },
    async stop() {
      stop.abort();
      await ended;
    },
  };
}
