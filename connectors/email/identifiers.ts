import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { isSameSecret } from '../shared/http.ts';
import type { EmailAccount } from './manifest.ts';

const schema = z.object({
  to: z.string(),
  name: z.string(),
  /** Subject of the visitor's last mail. */
  subject: z.string(),
  /** The References of the next mail, the latest last. */
  references: z.array(z.string()),
  /** Text and time of the last mail, if the answer quotes it. */
  quote: z.object({ text: z.string(), at: z.string() }).nullable(),
});

export type MailAddress = z.infer<typeof schema>;

export function parseAddress({ address }: ConversationRef): MailAddress {
  const read = schema.safeParse(address);
  if (read.success) return read.data;
  throw new ConnectorError('The address is not an email address.', { advice: { retry: 'never' } });
}

/** Removes a plus tag and lower-cases the address, so that all addresses of one mailbox are equal. */
export function normaliseAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^([^@+]*)\+[^@]*@/, '$1@');
}

/** Returns all addresses that the mailbox sends from and receives at. */
export function ownAddresses({ settings, credentials }: EmailAccount): ReadonlySet<string> {
  const all = [settings.from, ...settings.aliases, credentials.imap.user, credentials.smtp.user];
  return new Set(all.filter((address) => address.includes('@')).map(normaliseAddress));
}

/** Returns an HMAC in lower-case hexadecimal, because some servers lower-case the local part of an address. */
export function hmac(secret: string, ...parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex').slice(0, 20);
}

const MESSAGE_ID = /<?(?<![0-9a-f])([0-9a-f]{20})\.([0-9a-f]{20})\.([0-9a-f]{20})@[^\s<>"]+>?/g;

/**
 * Returns a Message-ID without angle brackets. It names its thread, cannot be forged and is stable for the same
 * `unique`.
 */
export function formatMessageId(lane: string, unique: string, { settings, secret }: EmailAccount): string {
  const part = createHash('sha256').update(unique).digest('hex').slice(0, 20);
  const domain = settings.from.slice(settings.from.lastIndexOf('@') + 1);
  return `${lane}.${part}.${hmac(secret, 'message', lane, part)}@${domain}`;
}

/** Each check costs an HMAC. A mail contains only a few. */
const MAX_CHECKED = 200;

interface OwnMessageId {
  readonly id: string;
  readonly lane: string;
}

/** Finds Message-IDs of ours anywhere in a text, each once. */
export function findOwnMessageIds(text: string, { secret }: EmailAccount): readonly OwnMessageId[] {
  const found = new Map<string, OwnMessageId>();
  for (const [whole, lane = '', part = '', proof] of text.matchAll(MESSAGE_ID).take(MAX_CHECKED)) {
    if (!isSameSecret(proof, hmac(secret, 'message', lane, part))) continue;
    const id = whole.replace(/^<|>$/g, '');
    found.set(id, { id, lane });
  }
  return [...found.values()];
}

/** Parses `References` and similar headers. Some programs omit the angle brackets. */
export function parseMessageIds(header: string): readonly string[] {
  const inBrackets = [...header.matchAll(/<([^<>]+)>/g)].map(([, id = '']) => id.replaceAll(/\s+/g, ''));
  const found =
    inBrackets.length > 0 ? inBrackets : header.split(/[\s,]+/).filter((word) => /.@./.test(word));
  return [...new Set(found.filter((id) => id !== '' && id.length <= 998))];
}

/** Servers refuse longer local parts (RFC 5321). */
const MAX_LOCAL = 64;
const THREAD_TOKEN = /^([0-9a-f]{20})([0-9a-f]{20})$/;

/** Returns the Reply-To address of a thread; null if plus addressing is off or the local part would be too long. */
export function threadAddress(lane: string, { settings, secret }: EmailAccount): string | null {
  if (!settings.plus_addressing) return null;
  const at = settings.from.lastIndexOf('@');
  const local = `${settings.from.slice(0, at)}+${lane}${hmac(secret, 'thread', lane)}`;
  return local.length > MAX_LOCAL ? null : `${local}${settings.from.slice(at)}`;
}

/** Returns the lane that a recipient address names, if the HMAC in the address is valid. */
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
