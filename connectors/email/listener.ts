import { setTimeout, setTimeout as wait } from 'node:timers/promises';
import type { FetchMessageObject, ImapFlow, MailboxObject } from 'imapflow';
import { linkSignal } from '../../core/contract/abort-signal.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Listen, ListenerTools } from '../../core/contract/listener.ts';
import { imapError, withImap } from './imap.ts';
import {
  fetchMail,
  findStartPosition,
  orderByArrival,
  type Position,
  type StartPosition,
} from './mailbox.ts';
import type { EmailAccount } from './manifest.ts';
import { storeMail } from './threads.ts';

interface ListenerTiming {
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
export function createListener(pace: ListenerTiming): ListenEmail {
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

interface Watch {
  readonly account: EmailAccount;
  readonly tools: ListenerTools;
  /** The last that was kept. */
  readonly cursor: () => ListenerTools['cursor'];
  readonly keep: ListenerTools['keep'];
  /** How often the server is asked for a sign of life, while it tells of nothing. */
  readonly beatMs: number;
  /** How long that may take. */
  readonly graceMs: number;
}

/** Takes what is new in the folder, now and whenever the server tells of something, until the connection ends. */
async function watchMailbox(client: ImapFlow, watch: Watch): Promise<void> {
  const { account, tools, beatMs, graceMs } = watch;
  const bell = mailboxNotifier(client);
  const mailbox = await client.mailboxOpen(account.settings.mailbox);
  const beginning = findStartPosition(mailbox, account, { cursor: watch.cursor(), now: tools.now() });
  let position = await firstPosition(client, beginning);
  while (!tools.signal.aborted) {
    bell.silence();
    position = await receiveNewMail(client, position, watch);
    tools.alive();
    // Without this nothing is heard until the client has been idle for a while.
    const idle = client.idle();
    await bell.rung(beatMs, tools.signal);
    await within(graceMs, client.noop());
    await within(graceMs, idle);
  }
}

/** Tells when the server has told of something, also where nobody was listening just then. */
function mailboxNotifier(client: ImapFlow) {
  const begin = () => {
    const round = Promise.withResolvers<void>();
    // Nobody may be waiting for it.
    round.promise.catch(() => {});
    return round;
  };
  let round = begin();
  let isLost = false;
  const lose = () => round.reject(connectionLostError('The IMAP server closed the connection.'));
  client.on('exists', () => round.resolve());
  client.on('close', () => {
    isLost = true;
    lose();
  });
  return {
    silence: () => {
      round = begin();
      if (isLost) lose();
    },
    /** Resolves as well after so long, and when `signal` is aborted. Rejects when the connection is lost. */
    rung: async (mostMs: number, signal: AbortSignal) => {
      const { controller, leave } = linkSignal(signal);
      const timer = wait(mostMs, undefined, { signal: controller.signal }).catch(() => {
        // Cut short: whoever waits looks at the signal.
      });
      try {
        await Promise.race([round.promise, timer]);
      } finally {
        controller.abort();
        leave();
      }
    },
  };
}

/** A connection may be dead for a long time before anybody is told. */
async function within<Result>(mostMs: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const late = wait(mostMs, undefined, { signal: over.signal }).then(() => {
    throw connectionLostError('The IMAP server does not answer any more.');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}

function connectionLostError(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'backoff' } });
}

async function firstPosition(client: ImapFlow, beginning: StartPosition): Promise<Position> {
  if (beginning.kind === 'after') return beginning.position;
  const { position, since } = beginning;
  const found = (await client.search({ since }, { uid: true })) || [];
  const first = found.reduce((least, uid) => Math.min(least, uid), Number.POSITIVE_INFINITY);
  return found.length === 0 ? position : { ...position, uid: first - 1 };
}

/** In the order in which they came. The place is kept after each, so that no crash takes more than one mail again. */
async function receiveNewMail(client: ImapFlow, from: Position, watch: Watch): Promise<Position> {
  const { account, tools, keep } = watch;
  const { uidValidity } = from;
  const maxBytes = account.settings.max_bytes;
  let position = { ...from, at: tools.now().toISOString() };
  for (const { message, place } of orderByArrival(await newMessages(client, from))) {
    tools.signal.throwIfAborted();
    const mail = await fetchMail(client, message, { uidValidity, maxBytes, tools });
    if (mail !== null) await storeMail(mail, account, tools);
    position = { ...position, uid: place };
    await keep(position);
    if (mail !== null && account.settings.mark_seen) await markSeen(client, message.uid, watch);
    tools.alive();
  }
  if (position.uid === from.uid) await keep(position);
  return position;
}

/** A range that ends with the last one always holds that, whatever it begins with. */
async function newMessages(client: ImapFlow, { uid }: Position): Promise<readonly FetchMessageObject[]> {
  const mailbox: MailboxObject | false = client.mailbox;
  if (mailbox === false || mailbox.exists === 0) return [];
  const query = { uid: true, size: true, internalDate: true, envelope: true };
  const found = await client.fetchAll(`${uid + 1}:*`, query, { uid: true });
  return found.filter((message) => message.uid > uid);
}

/** A folder that may only be read is read all the same. */
async function markSeen(client: ImapFlow, uid: number, { tools }: Watch): Promise<void> {
  const isMarked = await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
  if (!isMarked) tools.log.warn({ uid }, 'a mail could not be marked as read');
}
