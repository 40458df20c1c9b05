import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Problem, toProblem } from '../../../api/problem.ts';
import {
  conversationQuery,
  type NewMessage,
  type Place,
  type ReplyFile,
  refreshLists,
  replyFilesQuery,
  sendReply,
  timelineQuery,
} from '../../../api/queries/conversation.ts';
import { type ConversationChange, inOrder } from '../../../api/queries/inbox.ts';
import { keepLeft, takeLeft } from './drafts/left-replies.ts';
import { deviceChoice } from './sending/device-choice.ts';

/** Changes that are stored with a reply, or not at all. */
export interface WithReply {
  readonly tags?: string[];
  readonly priority?: 'low' | 'normal' | 'high' | 'urgent';
  readonly status?: 'open' | 'claimed' | 'escalated' | 'snoozed' | 'resolved' | 'archived';
  readonly snooze_until?: string;
  readonly assignee_id?: string | null;
}

/**
 * A reply in flight. `waiting` can still be undone. `retrying`: the server does not answer. `returned`: it was not
 * sent, and its text goes back to the composer.
 */
export interface Outgoing {
  /** The idempotency key: every attempt has the same, so that it is sent once. */
  readonly key: string;
  readonly place: Place;
  readonly content: string;
  readonly files: readonly ReplyFile[];
  /** The message that did not arrive and is sent again; null for a new one. */
  readonly resendOf: string | null;
  readonly resolves: boolean;
  /** The last message that the person had seen or sent. */
  readonly after: string | null;
  readonly state: 'waiting' | 'sending' | 'retrying' | 'returned';
  /** The time at which it leaves, in milliseconds since 1970. */
  readonly dueAt: number;
  readonly problem: Problem | null;
  readonly newMessages: readonly NewMessage[];
  /** The person who takes the conversation over with it. */
  readonly takesOver: string | null;
  readonly extra: WithReply;
}

interface LeftReply extends Outgoing {
  /** The person who sends it. */
  readonly person: string;
}

interface PostOptions
  extends Pick<
    Outgoing,
    'place' | 'content' | 'files' | 'resendOf' | 'resolves' | 'after' | 'takesOver' | 'extra'
  > {
  readonly undoMs: number;
  readonly sender: Sender;
  /** Settles when the last save of the draft has ended: it must not come after the reply. */
  readonly settled: Promise<unknown>;
}

interface Sender {
  readonly client: QueryClient;
  /** The signed-in person. */
  readonly person: string;
  /** The message if the text comes back while another conversation is open. */
  readonly returned: string;
}

interface Job {
  readonly sender: Sender;
  readonly settled: Promise<unknown>;
  timer: ReturnType<typeof setTimeout> | undefined;
  begun: boolean;
}

const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000, 30_000];

/** The replies that the previous page was sending, until a composer continues them. */
const left = takeLeft<LeftReply>().map((reply) => ({ ...reply, state: 'sending' as const }));
let all: readonly Outgoing[] = left;
let byConversation = groupByConversation(all);
const jobs = new Map<string, Job>();
/** Replies of one conversation leave in their order. */
const lanes = new Map<string, Promise<void>>();
/** The last reply that was sent, until the person sees it. */
const lastSent = new Map<string, string>();
/** Conversations whose composer is open and receives returned replies. */
const open = new Set<string>();
const listeners = new Set<() => void>();

function groupByConversation(replies: readonly Outgoing[]): ReadonlyMap<string, readonly Outgoing[]> {
  const groups = new Map<string, readonly Outgoing[]>();
  for (const each of replies) {
    const { conversation } = each.place;
    groups.set(conversation, [...(groups.get(conversation) ?? []), each]);
  }
  return groups;
}

function change(next: readonly Outgoing[]): void {
  all = next;
  byConversation = groupByConversation(next);
  for (const listener of [...listeners]) listener();
}

function patch(key: string, values: Partial<Outgoing>): void {
  change(all.map((each) => (each.key === key ? { ...each, ...values } : each)));
}

const find = (key: string) => all.find((each) => each.key === key);

/** Sends a reply after the time in which it can be undone. Returns its key. */
export function postReply(options: PostOptions): string {
  const { place, content, files, resendOf, resolves, after, takesOver, extra, undoMs, sender, settled } =
    options;
  for (const each of all) if (each.place.conversation === place.conversation) sendNow(each.key);
  const key = crypto.randomUUID();
  const job: Job = { sender, settled, timer: undefined, begun: false };
  jobs.set(key, job);
  const fresh = { state: 'waiting', problem: null, newMessages: [] } as const;
  change([
    ...all,
    {
      ...{ ...fresh, key, place, content, files, resendOf, resolves, takesOver, extra },
      after: lastSent.get(place.conversation) ?? after,
      dueAt: Date.now() + undoMs,
    },
  ]);
  if (undoMs === 0) begin(key);
  else job.timer = setTimeout(() => begin(key), undoMs);
  return key;
}

/** Gives an unsent reply back to the composer of its conversation, also one that opens later. False if it has left. */
export function returnReply(key: string): boolean {
  if (!isWaiting(key)) return false;
  clearTimeout(jobs.get(key)?.timer);
  patch(key, { state: 'returned' });
  return true;
}

/** Calls back now and after each change of a reply's state, until it is sent, which is null, or has come back. */
export function watchReply(key: string, onChange: (state: Outgoing['state'] | null) => void): void {
  let last: Outgoing['state'] | null | undefined;
  const stop = subscribe(check);
  check();
  function check() {
    const state = find(key)?.state ?? null;
    if (state === last) return;
    last = state;
    if (state === null || state === 'returned') stop();
    onChange(state);
  }
}

/** Whether a reply of the conversation is on its way. */
export function isInFlight(conversation: string): boolean {
  return byConversation.get(conversation)?.some(({ state }) => state !== 'returned') === true;
}

/**
 * Continues the replies that the previous page was sending. Their keys are the same, so that no reply is sent twice
 * and a refused one comes back.
 */
export function resumeReplies(conversation: string, sender: Sender): void {
  for (const { key, place, person } of left) {
    if (place.conversation !== conversation || jobs.has(key) || find(key) === undefined) continue;
    if (person !== sender.person) change(all.filter((each) => each.key !== key));
    else {
      jobs.set(key, { sender, settled: Promise.resolve(), timer: undefined, begun: false });
      begin(key);
    }
  }
}

/** Does not wait any longer. */
export function sendNow(key: string): void {
  if (isWaiting(key)) begin(key);
}

export function isWaiting(key: string): boolean {
  return find(key)?.state === 'waiting';
}

/**
 * A status that a person sets while a reply waits holds after it: otherwise the reply takes the conversation over.
 */
export function setStatusAfterReply(
  conversation: string,
  { status, snooze_until: until }: Pick<ConversationChange, 'status' | 'snooze_until'>,
): void {
  if (status === undefined || status === null || byConversation.get(conversation) === undefined) return;
  const after = status === 'snoozed' && until ? { status, snooze_until: until } : {};
  change(
    all.map((each) => {
      if (each.place.conversation !== conversation) return each;
      const { status: _, snooze_until: __, ...extra } = each.extra;
      return { ...each, resolves: status === 'resolved', extra: { ...extra, ...after } };
    }),
  );
}

/** Removes an unsent reply: undone, or returned. */
export function takeBack(key: string): Outgoing | null {
  const found = find(key);
  if (found === undefined || (found.state !== 'waiting' && found.state !== 'returned')) return null;
  clearTimeout(jobs.get(key)?.timer);
  jobs.delete(key);
  change(all.filter((each) => each !== found));
  return found;
}

function begin(key: string): void {
  const job = jobs.get(key);
  const found = find(key);
  if (job === undefined || found === undefined || job.begun) return;
  job.begun = true;
  clearTimeout(job.timer);
  patch(key, { state: 'sending' });
  const lane = found.place.conversation;
  const before = lanes.get(lane) ?? Promise.resolve();
  lanes.set(
    lane,
    before.then(() => send(key, found.place, job)),
  );
}

async function send(key: string, place: Place, { sender, settled }: Job): Promise<void> {
  const { client, returned } = sender;
  // The composer tells the person if it failed, and the reply goes on without it.
  await settled.then(ignore, ignore);
  for (let attempt = 0; ; attempt += 1) {
    const problem = await attemptOnce(key, sender);
    if (problem === null) return;
    const pause = pausesMs[attempt];
    if (!isPassing(problem) || pause === undefined) {
      patch(key, { state: 'returned', problem });
      if (!open.has(place.conversation)) notifications.show({ className: 'p-toast', message: returned });
      return;
    }
    patch(key, { state: 'retrying', problem });
    await untilOnlineOr(pause);
    void client.invalidateQueries({ queryKey: conversationQuery(place).queryKey });
  }
}

/** Null if it was sent or has come back. */
async function attemptOnce(key: string, { client, returned }: Sender): Promise<Problem | null> {
  const found = find(key);
  if (found === undefined) return null;
  const { place } = found;
  try {
    const reply = toRequest(found);
    const { fileIds } = reply;
    const outcome = await inOrder(place.conversation, () => sendReply(place, reply));
    if ('movedOn' in outcome) {
      patch(key, { state: 'returned', newMessages: outcome.movedOn });
      void client.invalidateQueries({ queryKey: timelineQuery(place).queryKey });
      if (!open.has(place.conversation)) notifications.show({ className: 'p-toast', message: returned });
      return null;
    }
    follow(place.conversation, outcome.sent);
    const { queryKey } = conversationQuery(place);
    client.setQueryData(replyFilesQuery(place).queryKey, (before: ReplyFile[] = []) =>
      before.filter(({ id }) => !fileIds.includes(id)),
    );
    // The stored message replaces this one without a gap.
    await client.invalidateQueries({ queryKey: timelineQuery(place).queryKey });
    void client.invalidateQueries({ queryKey });
    void refreshLists(client, place.workspace);
    jobs.delete(key);
    change(all.filter((each) => each.key !== key));
    return null;
  } catch (error) {
    return toProblem(error);
  }
}

/** The replies that wait behind a sent one follow it. */
function follow(conversation: string, sent: string): void {
  lastSent.set(conversation, sent);
  change(all.map((each) => (each.place.conversation === conversation ? { ...each, after: sent } : each)));
}

function toRequest({ key, content, files, resendOf, resolves, after, takesOver, extra }: Outgoing) {
  const { status, ...rest } = extra;
  const change = {
    ...rest,
    ...(status !== undefined && status !== 'resolved' && { status }),
    ...(takesOver !== null && { assignee_id: takesOver }),
  };
  return {
    ...{ key, content, resendOf, resolves },
    fileIds: files.map(({ id }) => id),
    // A message that is sent again was written before the newer ones.
    afterMessageId: resendOf === null ? after : null,
    change: Object.keys(change).length > 0 ? change : null,
  };
}

const ignore = () => {};

/** Whether the same request may succeed a moment later. */
function isPassing({ status }: Problem): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function untilOnlineOr(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    }
    addEventListener('online', end);
  });
}

/** Forgets the last sent reply once newer messages were seen. */
export function seeMessages(conversation: string, ids: readonly string[]): void {
  const sent = lastSent.get(conversation);
  if (sent !== undefined && ids.includes(sent)) lastSent.delete(conversation);
}

/** Says that the composer of a conversation is open. Returns the function that ends it. */
export function holdOpen(conversation: string): () => void {
  open.add(conversation);
  return () => open.delete(conversation);
}

// A page that is closed sends the waiting replies: the browser finishes requests of this kind by itself. The next
// page of the tab asks for their outcome.
addEventListener('pagehide', () => {
  keepLeft(
    all.flatMap((each) => {
      const person = jobs.get(each.key)?.sender.person;
      return person === undefined || each.state === 'returned' ? [] : [{ ...each, person }];
    }),
  );
  for (const each of all) {
    if (each.state !== 'waiting') continue;
    clearTimeout(jobs.get(each.key)?.timer);
    // The page is closed, so the failure cannot be shown. The server keeps the draft until it has the reply.
    sendReply(each.place, toRequest(each)).then(ignore, ignore);
  }
});

const none: readonly Outgoing[] = [];

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The replies of a conversation that are in flight. */
export function useOutgoing(conversation: string): readonly Outgoing[] {
  return useSyncExternalStore(subscribe, () => byConversation.get(conversation) ?? none);
}

export const undoChoices = [0, 5, 10] as const;

/** The seconds in which a sent reply can be undone, on this device. */
export const undoSeconds = deviceChoice('parley-undo-send', undoChoices, 5);
