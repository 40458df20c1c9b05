import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { StartConversation } from '../../core/contract/facets.ts';
import type { Delivery, RememberedValue } from '../../core/contract/inbound.ts';
import type { ListenerTools } from '../../core/contract/listener.ts';
import { findOwnMessageIds, findThreadToken, hmac, ownAddresses } from './identifiers.ts';
import type { EmailAccount } from './manifest.ts';
import type { Mail, UnthreadedMail } from './parsing/mail.ts';
import { isSameSubject } from './parsing/message-text.ts';
import { isColleague } from './parsing/sender.ts';

/** A thread that nobody can guess, in which whom we write to takes part. */
export const begin: StartConversation<EmailAccount['credentials'], EmailAccount['settings']> = (
  { email, name, subject, key },
  { secret },
) => {
  const lane = hmac(secret, 'lane', 'begun', key);
  return {
    to: { lane, address: { to: email, name: name ?? '', subject, references: [], quote: null } },
    remember: [{ key: laneKey(lane), value: { people: [email.toLowerCase()] } }],
  };
};

type LoadMemories = (keys: readonly string[]) => Promise<ReadonlyMap<string, Json>>;

interface ThreadedMail {
  /** Null where the very same mail was taken before. */
  readonly mail: Mail | null;
  readonly print: string;
  /** The thread that it quotes, and may not join: its sender takes no part there. */
  readonly quoted: string | null;
  readonly remember: readonly RememberedValue[];
}

const MAX_PEOPLE = 100;
const MAX_LOOKED_UP = 40;

const seenSchema = z.object({ lane: z.string(), subject: z.string() });
const laneSchema = z.object({ people: z.array(z.string()) });

/**
 * Finds the thread of a mail: by the address that it came to, by the mail that it answers, by those that it follows
 * where its subject is theirs. Except for the first, only where its sender takes part: knowing an id lets nobody in.
 */
async function findThread(
  mail: UnthreadedMail,
  account: EmailAccount,
  recall: LoadMemories,
): Promise<ThreadedMail> {
  const print = messageFingerprint(mail);
  const own = mail.messageId === null ? null : idKey(mail.messageId);
  const followed = [...mail.inReplyTo, ...mail.references.toReversed()].slice(0, MAX_LOOKED_UP);
  const known = await recall([fingerprintKey(print), ...(own === null ? [] : [own]), ...followed.map(idKey)]);
  if (known.has(fingerprintKey(print))) return { mail: null, print, quoted: null, remember: [] };
  const { found, quoted } = await findLane(mail, account, { known, recall });
  const lane = found?.lane ?? hmac(account.secret, 'lane', print);
  const people = [...new Set([...(found?.people ?? []), ...isParticipant(mail, account)])].slice(-MAX_PEOPLE);
  return {
    mail: { ...mail, lane, begins: found === null, joinedBy: found?.joinedBy ?? null },
    print,
    quoted,
    remember: [
      { key: fingerprintKey(print), value: 1 },
      // Whoever sends an id again does not take the thread of it along.
      ...(own === null || known.has(own) ? [] : [{ key: own, value: { lane, subject: mail.subject } }]),
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
  readonly known: ReadonlyMap<string, Json>;
  readonly recall: LoadMemories;
}

async function findLane(
  mail: UnthreadedMail,
  account: EmailAccount,
  { known, recall }: Memories,
): Promise<ThreadQuery> {
  const recipients = [...mail.to, ...mail.cc].map(({ address }) => address);
  // A mail server that tells what became of a mail of ours is nobody's guest.
  const named = bouncedLane(mail, account) ?? findThreadToken(recipients, account);
  const candidates = [...new Set(candidateLanes(mail, account, known))];
  const all = [...(named === null ? [] : [named]), ...candidates];
  if (all.length === 0) return nothing;
  const memories = await recall(all.map(laneKey));
  const peopleOf = (lane: string) => laneSchema.safeParse(memories.get(laneKey(lane))).data?.people ?? [];
  const join = (lane: string, joinedBy: Found['joinedBy']): ThreadQuery => ({
    found: { lane, people: peopleOf(lane), joinedBy },
    quoted: null,
  });
  if (named !== null) return join(named, 'token');
  const sender = mail.from?.address.toLowerCase() ?? '';
  const byColleague = isColleague(mail, account);
  for (const lane of candidates) {
    if (peopleOf(lane).includes(sender)) return join(lane, 'participant');
    if (byColleague) return join(lane, 'colleague');
  }
  return { found: null, quoted: candidates[0] ?? null };
}

/** What it answers, and then what it follows: the last first, and under the same subject. */
function candidateLanes(
  mail: UnthreadedMail,
  account: EmailAccount,
  known: ReadonlyMap<string, Json>,
): readonly string[] {
  const seen = (id: string) => seenSchema.safeParse(known.get(idKey(id))).data;
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

function fingerprintKey(print: string): string {
  return `mail:${print}`;
}

function laneKey(lane: string): string {
  return `lane:${lane}`;
}

/** The same for every copy of a mail, whichever folder it is in; another for one that only borrows its Message-ID. */
function messageFingerprint({ messageId, from, headers, text, html }: UnthreadedMail): string {
  const date = headers.find(([key]) => key === 'date')?.[1] ?? '';
  const told = [messageId, from?.address.toLowerCase(), date];
  const parts = messageId === null ? [...told, text, html] : told;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

/** Stores a mail in its thread, unless it was taken before: from another folder, or before the server counted anew. */
export async function storeMail(
  mail: UnthreadedMail,
  account: EmailAccount,
  tools: Pick<ListenerTools, 'accept' | 'recall'>,
): Promise<void> {
  const { mail: threaded, print, quoted, remember } = await findThread(mail, account, tools.recall);
  if (threaded === null) return;
  const delivery: Delivery = { id: print, lane: threaded.lane, native: threaded, remember };
  const quoting = quoted === null ? [] : [quotingDelivery(delivery, quoted)];
  await tools.accept([delivery, ...quoting]);
}

function quotingDelivery({ id, lane }: Delivery, quotes: string): Delivery {
  return { id: `${id}/quotes`, lane, native: { quotes } };
}
