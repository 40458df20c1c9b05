import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Recipient, StartedConversation } from '../../core/contract/facets.ts';
import type { Delivery, RememberedValue } from '../../core/contract/inbound.ts';
import type { ListenerTools } from '../../core/contract/listener.ts';
import { findOwnMessageIds, findThreadToken, hmac, ownAddresses } from './identifiers.ts';
import type { EmailAccount } from './manifest.ts';
import type { Mail, UnthreadedMail } from './parsing/mail.ts';
import { isSameSubject } from './parsing/message-text.ts';
import { isColleague } from './parsing/sender.ts';

/** Starts a thread with an unguessable lane, in which the recipient takes part. */
export function startThread(
  { email, name, subject, key }: Recipient,
  { secret }: Pick<EmailAccount, 'secret'>,
): StartedConversation {
  const lane = hmac(secret, 'lane', 'begun', key);
  return {
    to: { lane, address: { to: email, name: name ?? '', subject, references: [], quote: null } },
    remember: [{ key: laneKey(lane), value: { people: [email.toLowerCase()] } }],
  };
}

type LoadMemories = (keys: readonly string[]) => Promise<ReadonlyMap<string, Json>>;

interface ThreadedMail {
  /** Null if the same mail was already received. */
  readonly mail: Mail | null;
  readonly fingerprint: string;
  /** The lane of a thread that the mail refers to but may not join, because its sender takes no part in it. */
  readonly quoted: string | null;
  readonly remember: readonly RememberedValue[];
}

const MAX_PEOPLE = 100;
const MAX_LOOKED_UP = 40;

const seenSchema = z.object({ lane: z.string(), subject: z.string() });
const laneSchema = z.object({ people: z.array(z.string()) });

/**
 * Finds the thread of a mail: by the address that it was sent to, by the mail that it replies to, or by its references if
 * they have the same subject. Except for the first, the sender must take part in the thread: knowing a Message-ID is not
 * enough to join.
 */
async function findThread(
  mail: UnthreadedMail,
  account: EmailAccount,
  recall: LoadMemories,
): Promise<ThreadedMail> {
  const fingerprint = messageFingerprint(mail);
  const ownKey = mail.messageId === null ? null : idKey(mail.messageId);
  const followed = [...mail.inReplyTo, ...mail.references.toReversed()].slice(0, MAX_LOOKED_UP);
  const remembered = await recall([
    fingerprintKey(fingerprint),
    ...(ownKey === null ? [] : [ownKey]),
    ...followed.map(idKey),
  ]);
  if (remembered.has(fingerprintKey(fingerprint)))
    return { mail: null, fingerprint, quoted: null, remember: [] };
  const { found, quoted } = await findLane(mail, account, { remembered, recall });
  const lane = found?.lane ?? hmac(account.secret, 'lane', fingerprint);
  const people = [...new Set([...(found?.people ?? []), ...isParticipant(mail, account)])].slice(-MAX_PEOPLE);
  return {
    mail: { ...mail, lane, begins: found === null, joinedBy: found?.joinedBy ?? null },
    fingerprint,
    quoted,
    remember: [
      { key: fingerprintKey(fingerprint), value: 1 },
      // A mail that reuses a known Message-ID does not move that id to its own thread.
      ...(ownKey === null || remembered.has(ownKey)
        ? []
        : [{ key: ownKey, value: { lane, subject: mail.subject } }]),
      { key: laneKey(lane), value: { people } },
    ],
  };
}

interface Found {
  readonly lane: string;
  readonly people: readonly string[];
  readonly joinedBy: NonNullable<Mail['joinedBy']>;
}

interface ThreadQuery {
  readonly found: Found | null;
  readonly quoted: string | null;
}

const nothing: ThreadQuery = { found: null, quoted: null };

interface Memories {
  readonly remembered: ReadonlyMap<string, Json>;
  readonly recall: LoadMemories;
}

async function findLane(
  mail: UnthreadedMail,
  account: EmailAccount,
  { remembered, recall }: Memories,
): Promise<ThreadQuery> {
  const recipients = [...mail.to, ...mail.cc].map(({ address }) => address);
  // A bounce may join the thread of the mail that it reports, although a mail server takes no part in it.
  const tokenLane = bouncedLane(mail, account) ?? findThreadToken(recipients, account);
  const candidates = [...new Set(candidateLanes(mail, account, remembered))];
  const all = [...(tokenLane === null ? [] : [tokenLane]), ...candidates];
  if (all.length === 0) return nothing;
  const memories = await recall(all.map(laneKey));
  const peopleOf = (lane: string) => laneSchema.safeParse(memories.get(laneKey(lane))).data?.people ?? [];
  const join = (lane: string, joinedBy: Found['joinedBy']): ThreadQuery => ({
    found: { lane, people: peopleOf(lane), joinedBy },
    quoted: null,
  });
  if (tokenLane !== null) return join(tokenLane, 'token');
  const sender = mail.from?.address.toLowerCase() ?? '';
  const byColleague = isColleague(mail, account);
  for (const lane of candidates) {
    if (peopleOf(lane).includes(sender)) return join(lane, 'participant');
    if (byColleague) return join(lane, 'colleague');
  }
  return { found: null, quoted: candidates[0] ?? null };
}

/**
 * The threads of the mails that it replies to, then of its references, the latest first, if the subject is the same.
 */
function candidateLanes(
  mail: UnthreadedMail,
  account: EmailAccount,
  remembered: ReadonlyMap<string, Json>,
): readonly string[] {
  const seen = (id: string) => seenSchema.safeParse(remembered.get(idKey(id))).data;
  const laneOf = (id: string) => findOwnMessageIds(`<${id}>`, account)[0]?.lane ?? seen(id)?.lane;
  const answered = mail.inReplyTo.flatMap((id) => laneOf(id) ?? []);
  const subjects = mail.references.flatMap((id) => seen(id)?.subject ?? []);
  const isSame = subjects.length === 0 || subjects.some((subject) => isSameSubject(subject, mail.subject));
  const followed = isSame ? mail.references.toReversed().flatMap((id) => laneOf(id) ?? []) : [];
  return [...answered, ...followed];
}

function bouncedLane(mail: UnthreadedMail, account: EmailAccount): string | null {
  const reports = mail.reports.map(({ text }) => text).join('\n');
  return findOwnMessageIds(reports, account)[0]?.lane ?? null;
}

function isParticipant(mail: UnthreadedMail, account: EmailAccount): readonly string[] {
  const own = ownAddresses(account);
  const all = [mail.from, ...mail.replyTo, ...mail.to, ...mail.cc].flatMap((person) =>
    person === null ? [] : [person.address.toLowerCase()],
  );
  return all.filter((address) => !own.has(address.replace(/^([^@+]*)\+[^@]*@/, '$1@')));
}

function idKey(id: string): string {
  return `id:${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

function fingerprintKey(fingerprint: string): string {
  return `mail:${fingerprint}`;
}

function laneKey(lane: string): string {
  return `lane:${lane}`;
}

/** Identifies every copy of a mail, in any folder. A mail that only borrows a Message-ID gets another fingerprint. */
function messageFingerprint({ messageId, from, headers, text, html }: UnthreadedMail): string {
  const date = headers.find(([key]) => key === 'date')?.[1] ?? '';
  const identity = [messageId, from?.address.toLowerCase(), date];
  const parts = messageId === null ? [...identity, text, html] : identity;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

/** Stores a mail in its thread, unless it was received before: from another folder, or under another UIDVALIDITY. */
export async function storeMail(
  mail: UnthreadedMail,
  account: EmailAccount,
  tools: Pick<ListenerTools, 'accept' | 'recall'>,
): Promise<void> {
  const { mail: threaded, fingerprint, quoted, remember } = await findThread(mail, account, tools.recall);
  if (threaded === null) return;
  const delivery: Delivery = { id: fingerprint, lane: threaded.lane, native: threaded, remember };
  const quoting = quoted === null ? [] : [quotingDelivery(delivery, quoted)];
  await tools.accept([delivery, ...quoting]);
}

function quotingDelivery({ id, lane }: Delivery, quotes: string): Delivery {
  return { id: `${id}/quotes`, lane, native: { quotes } };
}
