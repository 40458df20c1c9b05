import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { isSameSecret } from '../shared/http.ts';
import type { EmailAccount } from './manifest.ts';

const schema = z.object({
  to: z.string(),
  name: z.string().catch(''),
  /** Of the last mail that came. */
  subject: z.string().catch(''),
  /** The mails that the next one follows, the last of them last. */
  references: z.array(z.string()).catch([]),
  /** The words of the last mail, where they are repeated in the answer. */
  quote: z.object({ text: z.string(), at: z.string() }).nullable().catch(null),
});

export type MailAddress = z.infer<typeof schema>;

export function parseAddress({ address }: ConversationRef): MailAddress {
  const read = schema.safeParse(address);
  if (read.success) return read.data;
  throw new ConnectorError('This is not the address of a mail.', { advice: { retry: 'never' } });
}

/** Without what stands behind `+`, in small letters: by that two addresses of one mailbox are the same. */
export function normaliseAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^([^@+]*)\+[^@]*@/, '$1@');
}

/** All under which the mailbox sends and is written to. */
export function ownAddresses({ settings, credentials }: EmailAccount): ReadonlySet<string> {
  const all = [settings.from, ...settings.aliases, credentials.imap.user, credentials.smtp.user];
  return new Set(all.filter((address) => address.includes('@')).map(normaliseAddress));
}

/** In letters that survive servers which take the part of an address before `@` for one of small letters. */
export function hmac(secret: string, ...parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex').slice(0, 20);
}

const MESSAGE_ID = /<?(?<![0-9a-f])([0-9a-f]{20})\.([0-9a-f]{20})\.([0-9a-f]{20})@[^\s<>"]+>?/g;

/** Our own, without brackets: it names its thread, and nobody else can make one. The same for the same `unique`. */
export function formatMessageId(lane: string, unique: string, { settings, secret }: EmailAccount): string {
  const part = createHash('sha256').update(unique).digest('hex').slice(0, 20);
  const domain = settings.from.slice(settings.from.lastIndexOf('@') + 1);
  return `${lane}.${part}.${hmac(secret, 'message', lane, part)}@${domain}`;
}

/** Each costs a signature; a mail has a few. */
const MOST_CHECKED = 200;

interface OwnMessageId {
  readonly id: string;
  readonly lane: string;
}

/** Those of ours that stand anywhere in a text, each once. */
export function findOwnMessageIds(text: string, { secret }: EmailAccount): readonly OwnMessageId[] {
  const found = new Map<string, OwnMessageId>();
  for (const [whole, lane = '', part = '', proof] of text.matchAll(MESSAGE_ID).take(MOST_CHECKED)) {
    if (!isSameSecret(proof, hmac(secret, 'message', lane, part))) continue;
    const id = whole.replace(/^<|>$/g, '');
    found.set(id, { id, lane });
  }
  return [...found.values()];
}

/** What stands in brackets in `References` and the like; some programs leave the brackets out. */
export function parseMessageIds(header: string): readonly string[] {
  const inBrackets = [...header.matchAll(/<([^<>]+)>/g)].map(([, id = '']) => id.replaceAll(/\s+/g, ''));
  const found =
    inBrackets.length > 0 ? inBrackets : header.split(/[\s,]+/).filter((word) => /.@./.test(word));
  return [...new Set(found.filter((id) => id !== '' && id.length <= 998))];
}

/** Longer ones are refused by servers. */
const MAX_LOCAL = 64;
const THREAD_TOKEN = /^([0-9a-f]{20})([0-9a-f]{20})$/;

/** The address that answers to a thread come to; null where the mailbox has no room for it. */
export function threadAddress(lane: string, { settings, secret }: EmailAccount): string | null {
  if (!settings.plus_addressing) return null;
  const at = settings.from.lastIndexOf('@');
  const local = `${settings.from.slice(0, at)}+${lane}${hmac(secret, 'thread', lane)}`;
  return local.length > MAX_LOCAL ? null : `${local}${settings.from.slice(at)}`;
}

/** The thread that one of the recipients names, with the proof that the address is from us. */
export function findThreadToken(recipients: readonly string[], account: EmailAccount): string | null {
  for (const recipient of recipients) {
    const tag = /\+([^+@]+)@/.exec(recipient.toLowerCase())?.[1];
    const [, lane, proof] = THREAD_TOKEN.exec(tag ?? '') ?? [];
    const isOurs = normaliseAddress(recipient) === normaliseAddress(account.settings.from);
    if (lane !== undefined && isOurs && isSameSecret(proof, hmac(account.secret, 'thread', lane)))
      return lane;
  }
  return null;
}
