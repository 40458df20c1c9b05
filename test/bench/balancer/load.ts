import { setTimeout as wait } from 'node:timers/promises';
import { type ChatRecord, messageText } from '../chaos/chat-record.ts';
import type { ChatPlatform } from '../chaos/platforms/chat-platform.ts';
import { untilTaken } from '../chaos/until-taken.ts';

export interface LoadTarget {
  /** The address of the load balancer. */
  readonly address: string;
  /** The addresses of the servers themselves. */
  readonly servers: readonly string[];
  readonly workspaceId: string;
  readonly key: string;
  readonly publicToken: string;
  readonly question: string;
  readonly telegram: ChatPlatform;
}

export interface LoadCount {
  requests: number;
  /** No answer, or one with a status from 500. */
  failed: number;
  /** How many of the failed requests a server answered when it was asked directly a moment later. */
  servable: number;
  webhooks: number;
  /** Deliveries that the platform had to repeat. */
  webhooksFailed: number;
}

export interface LoadResult {
  readonly count: LoadCount;
  readonly statuses: ReadonlyMap<number, number>;
  readonly acknowledged: readonly Pick<ChatRecord, 'chat' | 'acknowledged'>[];
}

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const queryEveryMs = 200;
const widgetEveryMs = 1_000;
// No conversation gets longer than one page of its messages.
const messageEveryMs = 8_000;
const chats = 20;
const visitors = 15;
const patienceMs = 45_000;

/**
 * Sends queries, questions in a widget and messages of Telegram at a modest rate, until `signal` is aborted.
 * `firstChat`: chats from that number on belong to this load.
 */
export async function runLoad(
  target: LoadTarget,
  { signal, firstChat }: { readonly signal: AbortSignal; readonly firstChat: number },
): Promise<LoadResult> {
  const count: LoadCount = { requests: 0, failed: 0, servable: 0, webhooks: 0, webhooksFailed: 0 };
  const statuses = new Map<number, number>();
  const send = async (asked: Asked) => {
    const status = await statusOf(target.address, asked);
    count.requests += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (!isFailure(status)) return;
    count.failed += 1;
    const direct = await Promise.all(target.servers.map((server) => statusOf(server, asked)));
    if (direct.some((one) => !isFailure(one))) count.servable += 1;
  };
  const sessions = await openSessions(target);
  const chatting = Array.from({ length: chats }, (_, index) =>
    converse(target, { chat: firstChat + index, signal, count }),
  );
  await Promise.all([
    often(queryEveryMs, signal, () => send(queryOf(target))),
    often(widgetEveryMs, signal, (turn) => send(widgetQuestionOf(target, sessions, turn))),
    ...chatting,
  ]);
  return { count, statuses, acknowledged: await Promise.all(chatting) };
}

/** At that rate, however long each takes. */
async function often(
  everyMs: number,
  signal: AbortSignal,
  run: (turn: number) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = [];
  for (let turn = 0; !signal.aborted; turn += 1) {
    running.push(run(turn));
    await wait(everyMs);
  }
  await Promise.all(running);
}

async function converse(
  { telegram }: LoadTarget,
  { chat, signal, count }: { readonly chat: number; readonly signal: AbortSignal; readonly count: LoadCount },
): Promise<Pick<ChatRecord, 'chat' | 'acknowledged'>> {
  const acknowledged: string[] = [];
  await wait(Math.random() * messageEveryMs);
  for (let index = 1; !signal.aborted; index += 1) {
    const text = messageText(chat, index);
    const tries = await telegram.tell({ chat, index, text });
    acknowledged.push(text);
    count.webhooks += 1;
    count.webhooksFailed += tries - 1;
    await wait(messageEveryMs);
  }
  return { chat, acknowledged };
}

/** The status; 0 for no answer, or a stream that ends with an error. */
async function statusOf(address: string, { path, headers, body }: Asked): Promise<number> {
  try {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (isStream && (!text.includes('"done":true') || text.includes('"code":'))) return 0;
    return response.status;
  } catch {
    // The kind of the error does not matter: the caller got no answer.
    return 0;
  }
}

function isFailure(status: number): boolean {
  return status === 0 || status >= 500;
}

function queryOf({ workspaceId, key, question }: LoadTarget): Asked {
  return {
    path: '/v1/query',
    headers: { authorization: `Bearer ${key}` },
    body: { workspace_id: workspaceId, query: question },
  };
}

function widgetQuestionOf(
  { publicToken, question }: LoadTarget,
  sessions: readonly string[],
  turn: number,
): Asked {
  const visitor = turn % sessions.length;
  return {
    path: `/widget/${publicToken}/ask`,
    headers: { authorization: `Bearer ${sessions[visitor]}`, ...addressOf(visitor) },
    body: { query: question },
  };
}

async function openSessions({ address, publicToken }: LoadTarget): Promise<readonly string[]> {
  const open = async (visitor: number) => {
    const { text } = await untilTaken(() =>
      fetch(`${address}/widget/${publicToken}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...addressOf(visitor) },
        body: '{}',
      }),
    );
    const opened: { readonly session: string } = JSON.parse(text);
    return opened.session;
  };
  return Promise.all(Array.from({ length: visitors }, (_, visitor) => open(visitor)));
}

/** Visitors who share a machine are then not counted as one. */
function addressOf(visitor: number) {
  return { 'x-forwarded-for': `203.0.113.${visitor + 1}` };
}
