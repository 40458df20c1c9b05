import { lookup } from 'node:dns/promises';
import type { Tools } from '../../core/contract/tools.ts';

/** What a connector gets of the world: the real network, unless a test answers itself. */
export function connectorTools(changes: Partial<Tools> = {}): Tools & { readonly warned: string[] } {
  const warned: string[] = [];
  return {
    fetch,
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    now: () => new Date('2026-09-21T12:00:00Z'),
    log: { warn: (_facts, text) => void warned.push(text) },
    signal: new AbortController().signal,
    ...changes,
    warned,
  };
}
