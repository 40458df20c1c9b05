import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Listen, ListenerTools } from '../../core/contract/listener.ts';
import { guardedLookup } from '../shared/guarded-lookup.ts';
import { lenient } from '../shared/lenient.ts';
import { parsedJson } from '../shared/parsed-json.ts';
import { readJson } from '../shared/read-json.ts';
import { deliveryOf } from './delivery-of.ts';
import { demandSlack } from './demand-slack.ts';
import type { SlackAccount } from './manifest.ts';
import { openSocket, type SlackSocket } from './open-socket.ts';
import { socketAddress } from './socket-address.ts';

export interface Pace {
  /** Slack pings every few seconds: a socket that is silent for so long is dead. */
  readonly silenceMs: number;
  /** How long sockets may fail to open, for reasons that pass, before that is told. */
  readonly patienceMs: number;
  /** Before the next one after one that failed; doubled each time. */
  readonly pauseMs: number;
}

type ListenSlack = Listen<SlackAccount['credentials'], SlackAccount['settings']>;

const MAX_PAUSE_MS = 15_000;

const frame = z.object({
  type: z.string(),
  envelope_id: lenient(z.string()),
  payload: parsedJson.optional(),
});

/**
 * Hears events over sockets until it is stopped. Slack closes each after some hours and says so before: then the next
 * one is opened first. What was not acknowledged Slack tells again.
 */
export function listenAt(pace: Pace): ListenSlack {
  return async (account, tools) => {
    try {
      await listenOn(account, tools, pace);
    } catch (error) {
      if (!tools.signal.aborted) throw error;
    }
  };
}

async function listenOn(account: SlackAccount, tools: ListenerTools, pace: Pace): Promise<void> {
  let heardAt = tools.now().getTime();
  let failures = 0;
  while (!tools.signal.aborted) {
    try {
      const session = await openSession(account, tools, pace);
      failures = 0;
      await session.over;
      heardAt = tools.now().getTime();
    } catch (error) {
      const silentMs = tools.now().getTime() - heardAt;
      if (!(error instanceof ConnectorError) || error.advice.retry === 'never' || silentMs > pace.patienceMs)
        throw error;
      await setTimeout(pauseOf(error, failures, pace), undefined, { signal: tools.signal });
      failures += 1;
    }
  }
}

interface Session {
  /** Resolves when another one is needed; rejects where something cannot be stored. */
  readonly over: Promise<void>;
}

async function openSession(
  account: SlackAccount,
  tools: ListenerTools,
  { silenceMs }: Pace,
): Promise<Session> {
  const { url } = await demandSlack(
    {
      method: 'apps.connections.open',
      token: appToken(account),
      run: (client) => client.apps.connections.open({}),
    },
    account,
    tools,
  );
  const over = Promise.withResolvers<void>();
  const early: string[] = [];
  let hear = (text: string): void => void early.push(text);
  const address = socketAddress(url, account);
  const socket = await openSocket(address, {
    lookup: await guardedLookup({ peer: "Slack's socket", url: address }, tools),
    onText: (text) => hear(text),
    onSign: tools.alive,
    silenceMs,
  });
  const leave = () => socket.close();
  tools.signal.addEventListener('abort', leave, { once: true });
  if (tools.signal.aborted) leave();
  const onClosed = () => {
    tools.signal.removeEventListener('abort', leave);
    over.resolve();
  };
  socket.closed.then(onClosed, onClosed);
  let before = Promise.resolve();
  hear = (text) => {
    // One after the other: what is stored in its order is answered in that.
    before = before.then(async () => {
      if (await take(text, { socket, account, tools })) over.resolve();
    });
    before.catch((error: unknown) => {
      over.reject(error);
      socket.close();
    });
  };
  for (const text of early) hear(text);
  return { over: over.promise };
}

interface Context {
  readonly socket: SlackSocket;
  readonly account: SlackAccount;
  readonly tools: ListenerTools;
}

/** Stores what a frame tells, and only then says that it was heard. Whether Slack is about to close the socket. */
async function take(text: string, { socket, account, tools }: Context): Promise<boolean> {
  const { data } = frame.safeParse(readJson(new TextEncoder().encode(text)));
  if (data?.type === 'disconnect') return true;
  if (data === undefined || data.envelope_id === null) return false;
  const read = deliveryOf(data.payload ?? null, account);
  if ('delivery' in read) await tools.accept([read.delivery]);
  socket.acknowledge(data.envelope_id);
  return false;
}

function appToken({ credentials }: SlackAccount): string {
  if (credentials.app_token !== undefined) return credentials.app_token;
  throw new ConnectorError('A socket needs the credential app_token.', { advice: { retry: 'never' } });
}

function pauseOf({ advice }: ConnectorError, failures: number, { pauseMs }: Pace): number {
  return advice.retry === 'after' ? advice.afterMs : Math.min(MAX_PAUSE_MS, pauseMs * 2 ** failures);
}
