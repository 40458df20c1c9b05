import type { LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { ListenerTools } from '../../core/contract/listener.ts';
import { guardedLookup, jsonValue, optionalField, parseJson } from '../shared/http.ts';
import { callSlackOrThrow } from './api-client.ts';
import type { SlackAccount } from './manifest.ts';
import { toDelivery } from './webhook.ts';

interface ListenerTiming {
  /** Slack pings every few seconds, so a socket without any frame for this time is dead. */
  readonly silenceMs: number;
  /** How long temporary failures to open a socket may last before the listener throws. */
  readonly patienceMs: number;
  /** Delay before the first reconnect; doubled after each failure. */
  readonly pauseMs: number;
}

type ListenSlack = (account: SlackAccount, tools: ListenerTools) => Promise<void>;

const MAX_PAUSE_MS = 15_000;

const frame = z.object({
  type: z.string(),
  envelope_id: optionalField(z.string()),
  payload: jsonValue.optional(),
});

/**
 * Returns a listener that receives events in socket mode until it is stopped. Slack closes each socket after some hours
 * and announces that with `disconnect`; the listener then opens the next socket before the old one closes. Slack sends
 * events without an acknowledgement again.
 */
export function createListener(timing: ListenerTiming): ListenSlack {
  return async (account, tools) => {
    try {
      await listenOnSocket(account, tools, timing);
    } catch (error) {
      if (!tools.signal.aborted) throw error;
    }
  };
}

async function listenOnSocket(
  account: SlackAccount,
  tools: ListenerTools,
  timing: ListenerTiming,
): Promise<void> {
  let connectedAt = tools.now().getTime();
  let failures = 0;
  while (!tools.signal.aborted) {
    try {
      const session = await openSession(account, tools, timing);
      failures = 0;
      await session.over;
      connectedAt = tools.now().getTime();
    } catch (error) {
      const offlineMs = tools.now().getTime() - connectedAt;
      if (
        !(error instanceof ConnectorError) ||
        error.advice.retry === 'never' ||
        offlineMs > timing.patienceMs
      )
        throw error;
      await wait(retryDelay(error, failures, timing), undefined, { signal: tools.signal });
      failures += 1;
    }
  }
}

interface Session {
  /** Resolves when the next session has to be opened. Rejects if a delivery cannot be stored. */
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
  let onText = (text: string): void => void early.push(text);
  const address = requireSocketUrl(url, account);
  const socket = await openSocket(address, {
    lookup: await guardedLookup({ peer: "Slack's socket", url: address }, tools),
    onText: (text) => onText(text),
    onActivity: tools.alive,
    silenceMs,
  });
  const onAbort = () => socket.close();
  tools.signal.addEventListener('abort', onAbort, { once: true });
  if (tools.signal.aborted) onAbort();
  const onClosed = () => {
    tools.signal.removeEventListener('abort', onAbort);
    over.resolve();
  };
  socket.closed.then(onClosed, onClosed);
  let previous = Promise.resolve();
  onText = (text) => {
    // One frame at a time: events are answered in the order in which they are stored.
    previous = previous.then(async () => {
      if (await receiveEnvelope(text, { socket, account, tools })) over.resolve();
    });
    previous.catch((error: unknown) => {
      over.reject(error);
      socket.close();
    });
  };
  for (const text of early) onText(text);
  return { over: over.promise };
}

interface Context {
  readonly socket: SlackSocket;
  readonly account: SlackAccount;
  readonly tools: ListenerTools;
}

/** Stores the delivery of a frame and then acknowledges it. Returns whether Slack is about to close the socket. */
async function receiveEnvelope(text: string, { socket, account, tools }: Context): Promise<boolean> {
  const { data } = frame.safeParse(parseJson(new TextEncoder().encode(text)));
  if (data?.type === 'disconnect') return true;
  if (data === undefined || data.envelope_id === null) return false;
  const parsed = toDelivery(data.payload ?? null, account);
  if ('delivery' in parsed) await tools.accept([parsed.delivery]);
  socket.acknowledge(data.envelope_id);
  return false;
}

function appToken({ credentials }: SlackAccount): string {
  if (credentials.app_token !== undefined) return credentials.app_token;
  throw new ConnectorError('Socket mode requires the credential app_token.', { advice: { retry: 'never' } });
}

function retryDelay({ advice }: ConnectorError, failures: number, { pauseMs }: ListenerTiming): number {
  return advice.retry === 'after' ? advice.afterMs : Math.min(MAX_PAUSE_MS, pauseMs * 2 ** failures);
}

/**
 * Returns the socket address that Slack sent. Throws a ConnectorError unless its host belongs to slack.com or is the host
 * of the operator's `api_base_url`.
 */
export function requireSocketUrl(address: string | undefined, { settings }: SlackAccount): string {
  const url = URL.parse(address ?? '');
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
  throw new ConnectorError('Slack returned a socket address outside slack.com.', {
    advice: { retry: 'backoff' },
  });
}

interface SlackSocket {
  acknowledge(envelopeId: string): void;
  /** Resolves when either side has closed the socket. */
  readonly closed: Promise<void>;
  close(): void;
}

interface SocketHandlers {
  /** Resolves the host to the addresses that the network guard allowed. */
  readonly lookup: LookupFunction;
  readonly onText: (text: string) => void;
  /** Handles every ping and message. */
  readonly onActivity: () => void;
  /** The socket is terminated after this time without activity. */
  readonly silenceMs: number;
}

/** Opens a socket to Slack. Throws a ConnectorError if the socket does not open within `silenceMs`. */
function openSocket(
  address: string,
  { lookup, onText, onActivity, silenceMs }: SocketHandlers,
): Promise<SlackSocket> {
  const socket = new WebSocket(address, { lookup, handshakeTimeout: silenceMs, maxPayload: 16 * 2 ** 20 });
  const opened = Promise.withResolvers<SlackSocket>();
  const closed = Promise.withResolvers<void>();
  let silenceTimer = setTimeout(() => socket.terminate(), silenceMs);
  const onFrame = () => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => socket.terminate(), silenceMs);
    onActivity();
  };
  socket.on('open', () => {
    opened.resolve({
      acknowledge: (envelope_id) => socket.send(JSON.stringify({ envelope_id }), () => {}),
      closed: closed.promise,
      close: () => socket.close(1000),
    });
  });
  socket.on('ping', onFrame);
  socket.on('message', (data) => {
    onFrame();
    onText(data.toString());
  });
  socket.on('error', (error) => {
    opened.reject(
      new ConnectorError(`The Slack socket cannot be opened: ${error.message}`, {
        advice: { retry: 'backoff' },
      }),
    );
  });
  socket.on('close', () => {
    clearTimeout(silenceTimer);
    opened.reject(new ConnectorError('Slack closed the socket.', { advice: { retry: 'backoff' } }));
    closed.resolve();
  });
  return opened.promise;
}
