import { lookup } from 'node:dns/promises';
import { ConnectorThreads } from '../../../core/base/threads/thread-pool.ts';
import type { Tools } from '../../../core/contract/account.ts';

/** The threads of all tests of a process, never closed: they do not keep it alive. */
export const lentThreads = new ConnectorThreads();

/** The tools of a connector: the real network, unless a test answers itself. */
export function connectorTools(changes: Partial<Tools> = {}): Tools & { readonly warned: string[] } {
  const warned: string[] = [];
  const { signal = new AbortController().signal } = changes;
  return {
    fetch,
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    readFile: async () => null,
    now: () => new Date('2026-09-21T12:00:00Z'),
    log: { warn: (_facts, text) => void warned.push(text) },
    runInThread: (task) => lentThreads.run(task, { owner: 'chan_test', signal }),
    signal,
    ...changes,
    warned,
  };
}
