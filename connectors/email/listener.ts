import { setTimeout } from 'node:timers/promises';
import type { FetchMessageObject, ImapFlow, MailboxObject } from 'imapflow';
import { linkSignal } from '../../core/contract/abort-signal.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { ListenerTools } from '../../core/contract/listener.ts';
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
  /** How often a silent server is sent NOOP. */
  readonly beatMs: number;
  /** How long the server may take to answer. */
  readonly graceMs: number;
  /** How long connections may fail for transient reasons before the listener reports an error. */
  readonly patienceMs: number;
  /** Pause before the next connection after a failure. Doubles with each failure. */
  readonly pauseMs: number;
}

type ListenEmail = (account: EmailAccount, tools: ListenerTools) => Promise<void>;

const MAX_PAUSE_MS = 15_000;

/**
 * Creates a listener that watches the mailbox until it is stopped. It reconnects and then receives the mails it missed.
 */
export function createListener(timing: ListenerTiming): ListenEmail {
  return async (account, tools) => {
    let cursor = tools.cursor;
    let lastAliveAt = tools.now().getTime();
    let failures = 0;
    const trackedTools: ListenerTools = {
      ...tools,
      alive: () => {
        lastAliveAt = tools.now().getTime();
        failures = 0;
        tools.alive();
      },
    };
    const saveCursor: ListenerTools['keep'] = async (next) => {
      await tools.keep(next);
      cursor = next;
    };
    while (!tools.signal.aborted) {
      try {
        await watchOnce({ account, tools: trackedTools, cursor: () => cursor, saveCursor, ...timing });
      } catch (error) {
        if (tools.signal.aborted) return;
        const fault = imapError(error);
        const silentMs = tools.now().getTime() - lastAliveAt;
        if (fault.advice.retry === 'never' || silentMs > timing.patienceMs) throw fault;
        const pauseMs = Math.min(MAX_PAUSE_MS, timing.pauseMs * 2 ** failures);
        failures += 1;
        await setTimeout(pauseMs, undefined, { signal: tools.signal }).catch(() => {
          // Aborted: the loop checks the signal.
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
  /** Returns the last stored cursor. */
  readonly cursor: () => ListenerTools['cursor'];
  readonly saveCursor: ListenerTools['keep'];
  /** How often the server is sent NOOP while it is silent. */
  readonly beatMs: number;
  /** How long the server may take to answer. */
  readonly graceMs: number;
}

/** Receives new mails, at once and after each notification of the server, until the connection ends. */
async function watchMailbox(client: ImapFlow, watch: Watch): Promise<void> {
  const { account, tools, beatMs, graceMs } = watch;
  const notifier = mailboxNotifier(client);
  const mailbox = await client.mailboxOpen(account.settings.mailbox);
  const beginning = findStartPosition(mailbox, account, { cursor: watch.cursor(), now: tools.now() });
  let position = await firstPosition(client, beginning);
  while (!tools.signal.aborted) {
    notifier.clear();
    position = await receiveNewMail(client, position, watch);
    tools.alive();
    // imapflow sends IDLE by itself only after 15 seconds.
    const idle = client.idle();
    await notifier.waitForEvent(beatMs, tools.signal);
    await withTimeout(graceMs, client.noop());
    await withTimeout(graceMs, idle);
  }
}

/** Remembers notifications of the server, also those that arrive while nothing waits for them. */
function mailboxNotifier(client: ImapFlow) {
  const nextSignal = () => {
    const signalled = Promise.withResolvers<void>();
    // This avoids an unhandled rejection if nothing waits.
    signalled.promise.catch(() => {});
    return signalled;
  };
  let signalled = nextSignal();
  let isLost = false;
  const fail = () => signalled.reject(connectionLostError('The IMAP server closed the connection.'));
  client.on('exists', () => signalled.resolve());
  client.on('close', () => {
    isLost = true;
    fail();
  });
  return {
    clear: () => {
      signalled = nextSignal();
      if (isLost) fail();
    },
    /** Resolves after a notification, after `maxMs` or when `signal` is aborted. Rejects if the connection is lost. */
    waitForEvent: async (maxMs: number, signal: AbortSignal) => {
      const { controller, leave } = linkSignal(signal);
      const timer = setTimeout(maxMs, undefined, { signal: controller.signal }).catch(() => {
        // Aborted: the caller checks the signal.
      });
      try {
        await Promise.race([signalled.promise, timer]);
      } finally {
        controller.abort();
        leave();
      }
    },
  };
}

/** Fails a command that gets no response in time: a dead connection can go unnoticed for a long time. */
async function withTimeout<Result>(maxMs: number, work: Promise<Result>): Promise<Result> {
  const timerAbort = new AbortController();
  const timeout = setTimeout(maxMs, undefined, { signal: timerAbort.signal }).then(() => {
    throw connectionLostError('The IMAP server stopped responding.');
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timerAbort.abort();
    timeout.catch(() => {});
  }
}

function connectionLostError(message: string): ConnectorError {
  return new ConnectorError(message, { advice: { retry: 'backoff' } });
}

async function firstPosition(client: ImapFlow, beginning: StartPosition): Promise<Position> {
  if (beginning.kind === 'after') return beginning.position;
  const { position, since } = beginning;
  const found = (await client.search({ since }, { uid: true })) || [];
  const first = found.reduce((least, uid) => Math.min(least, uid), Number.POSITIVE_INFINITY);
  return found.length === 0 ? position : { ...position, uid: first - 1 };
}

/** Receives mails in the order of arrival. It stores the cursor after each, so a crash repeats one mail at most. */
async function receiveNewMail(client: ImapFlow, from: Position, watch: Watch): Promise<Position> {
  const { account, tools, saveCursor } = watch;
  const { uidValidity } = from;
  const maxBytes = account.settings.max_bytes;
  let position = { ...from, at: tools.now().toISOString() };
  for (const { message, place } of orderByArrival(await newMessages(client, from))) {
    tools.signal.throwIfAborted();
    const mail = await fetchMail(client, message, { uidValidity, maxBytes, tools });
    if (mail !== null) await storeMail(mail, account, tools);
    position = { ...position, uid: place };
    await saveCursor(position);
    if (mail !== null && account.settings.mark_seen) await markSeen(client, message.uid, watch);
    tools.alive();
  }
  if (position.uid === from.uid) await saveCursor(position);
  return position;
}

/** Filters by UID, because a range that ends in `*` always contains the last mail. */
async function newMessages(client: ImapFlow, { uid }: Position): Promise<readonly FetchMessageObject[]> {
  const mailbox: MailboxObject | false = client.mailbox;
  if (mailbox === false || mailbox.exists === 0) return [];
  const query = { uid: true, size: true, internalDate: true, envelope: true };
  const found = await client.fetchAll(`${uid + 1}:*`, query, { uid: true });
  return found.filter((message) => message.uid > uid);
}

/** A read-only folder is processed too, only without the flag. */
async function markSeen(client: ImapFlow, uid: number, { tools }: Watch): Promise<void> {
  const isMarked = await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
  if (!isMarked) tools.log.warn({ uid }, 'marking a mail as read failed');
}
