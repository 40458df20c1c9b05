import type { LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Listen, ListenerTools } from '../../core/contract/listener.ts';
import { guardedLookup } from '../shared/http.ts';
import { jsonValue, optionalField, parseJson } from '../shared/payload.ts';
import { callSlackOrThrow } from './api-client.ts';
import type { SlackAccount } from './manifest.ts';
import { toDelivery } from './webhook.ts';

interface ListenerTiming {
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
  envelope_id: optionalField(z.string()),
  payload: jsonValue.optional(),
});

/**
 * Hears events over sockets until it is stopped. Slack closes each after some hours and says so before: then the next
 * one is opened first. What was not acknowledged Slack tells again.
 */
export function createListener(pace: ListenerTiming): ListenSlack {
  return async (account, tools) => {
    try {
      await listenOnSocket(account, tools, pace);
    } catch (error) {
      if (!tools.signal.aborted) throw error;
    }
  };
}

async function listenOnSocket(
  account: SlackAccount,
  tools: ListenerTools,
  pace: ListenerTiming,
): Promise<void> {
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
      await wait(retryDelay(error, failures, pace), undefined, { signal: tools.signal });
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
  { silenceMs }: ListenerTiming,
): Promise<Session> {
  const { url } = await callSlackOrThrow(
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
  const address = requireSocketUrl(url, account);
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
      if (await receiveEnvelope(text, { socket, account, tools })) over.resolve();
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
async function receiveEnvelope(text: string, { socket, account, tools }: Context): Promise<boolean> {
  const { data } = frame.safeParse(parseJson(new TextEncoder().encode(text)));
  if (data?.type === 'disconnect') return true;
  if (data === undefined || data.envelope_id === null) return false;
  const read = toDelivery(data.payload ?? null, account);
  if ('delivery' in read) await tools.accept([read.delivery]);
  socket.acknowledge(data.envelope_id);
  return false;
}

function appToken({ credentials }: SlackAccount): string {
  if (credentials.app_token !== undefined) return credentials.app_token;
  throw new ConnectorError('A socket needs the credential app_token.', { advice: { retry: 'never' } });
}

function retryDelay({ advice }: ConnectorError, failures: number, { pauseMs }: ListenerTiming): number {
  return advice.retry === 'after' ? advice.afterMs : Math.min(MAX_PAUSE_MS, pauseMs * 2 ** failures);
}

/** The address of a socket that Slack told: it has to be Slack's own, or where the operator has us call Slack anyway. */
export function requireSocketUrl(told: string | undefined, { settings }: SlackAccount): string {
  const url = URL.parse(told ?? '');
  const base = settings.api_base_url === undefined ? null : new URL(settings.api_base_url);
  if (
    url !== null &&
    base !== null &&
    ['ws:', 'wss:'].includes(url.protocol) &&
    url.hostname === base.hostname
  )
    return url.href;
  const isSlack = url?.protocol === 'wss:' && url.hostname.endsWith('.slack.com');
  if (url !== null && isSlack) return url.href;
  throw new ConnectorError('Slack told an address for its socket that is not its own.', {
    advice: { retry: 'backoff' },
  });
}

interface SlackSocket {
  acknowledge(envelopeId: string): void;
  /** Resolves when it is closed, by whichever side. */
  readonly closed: Promise<void>;
  close(): void;
}

interface SocketHandlers {
  /** Where the host of the address is: what the guard let through. */
  readonly lookup: LookupFunction;
  readonly onText: (text: string) => void;
  /** Told of every sign of life, also of those that say nothing. */
  readonly onSign: () => void;
  /** So long it may be silent before it is taken for dead. */
  readonly silenceMs: number;
}

/** Opens a socket of Slack's. Throws a ConnectorError where that does not succeed in time. */
function openSocket(
  address: string,
  { lookup, onText, onSign, silenceMs }: SocketHandlers,
): Promise<SlackSocket> {
  const socket = new WebSocket(address, { lookup, handshakeTimeout: silenceMs, maxPayload: 16 * 2 ** 20 });
  const opened = Promise.withResolvers<SlackSocket>();
  const closed = Promise.withResolvers<void>();
  let silence = setTimeout(() => socket.terminate(), silenceMs);
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => socket.terminate(), silenceMs);
    onSign();
  };
  socket.on('open', () => {
    opened.resolve({
      acknowledge: (envelope_id) => socket.send(JSON.stringify({ envelope_id }), () => {}),
      closed: closed.promise,
      close: () => socket.close(1000),
    });
  });
  socket.on('ping', heard);
  socket.on('message', (data) => {
    heard();
    onText(data.toString());
  });
  socket.on('error', (error) => {
    opened.reject(
      new ConnectorError(`Slack's socket cannot be opened: ${error.message}`, {
        advice: { retry: 'backoff' },
      }),
    );
  });
  socket.on('close', () => {
    clearTimeout(silence);
    opened.reject(new ConnectorError("Slack's socket was closed.", { advice: { retry: 'backoff' } }));
    closed.resolve();
  });
  return opened.promise;
}
