import { setTimeout } from 'node:timers/promises';
import type { Listen, ListenerTools } from '../../core/contract/listener.ts';
import { imapError } from './imap-error.ts';
import type { EmailAccount } from './manifest.ts';
import { watchMailbox } from './watch-mailbox.ts';
import { withImap } from './with-imap.ts';

export interface Pace {
  /** How often a silent server is asked for a sign of life. */
  readonly beatMs: number;
  /** How long it may take to give one. */
  readonly graceMs: number;
  /** How long connections may fail, for reasons that pass, before that is told. */
  readonly patienceMs: number;
  /** Before the next connection after one that failed; doubled each time. */
  readonly pauseMs: number;
}

type ListenEmail = Listen<EmailAccount['credentials'], EmailAccount['settings']>;

const MAX_PAUSE_MS = 15_000;

/** Watches the mailbox until it is stopped; connections that end are opened again, and what came meanwhile is taken. */
export function listenAt(pace: Pace): ListenEmail {
  return async (account, tools) => {
    let cursor = tools.cursor;
    let heardAt = tools.now().getTime();
    let failures = 0;
    const heard: ListenerTools = {
      ...tools,
      alive: () => {
        heardAt = tools.now().getTime();
        failures = 0;
        tools.alive();
      },
    };
    const keep: ListenerTools['keep'] = async (next) => {
      await tools.keep(next);
      cursor = next;
    };
    while (!tools.signal.aborted) {
      try {
        await watchOnce({ account, tools: heard, cursor: () => cursor, keep, ...pace });
      } catch (error) {
        if (tools.signal.aborted) return;
        const fault = imapError(error);
        const silentMs = tools.now().getTime() - heardAt;
        if (fault.advice.retry === 'never' || silentMs > pace.patienceMs) throw fault;
        const pauseMs = Math.min(MAX_PAUSE_MS, pace.pauseMs * 2 ** failures);
        failures += 1;
        await setTimeout(pauseMs, undefined, { signal: tools.signal }).catch(() => {
          // Cut short: the loop looks at the signal.
        });
      }
    }
  };
}

function watchOnce(watch: Parameters<typeof watchMailbox>[1]): Promise<void> {
  const { account, tools } = watch;
  return withImap(account.credentials.imap, tools, (client) => watchMailbox(client, watch));
}
