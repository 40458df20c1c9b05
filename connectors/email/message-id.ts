import { createHash } from 'node:crypto';
import { sameSecret } from '../shared/same-secret.ts';
import type { EmailAccount } from './manifest.ts';
import { sign } from './sign.ts';

const form = /<?(?<![0-9a-f])([0-9a-f]{20})\.([0-9a-f]{20})\.([0-9a-f]{20})@[^\s<>"]+>?/g;

/** Our own, without brackets: it names its thread, and nobody else can make one. The same for the same `unique`. */
export function writeMessageId(lane: string, unique: string, { settings, secret }: EmailAccount): string {
  const part = createHash('sha256').update(unique).digest('hex').slice(0, 20);
  const domain = settings.from.slice(settings.from.lastIndexOf('@') + 1);
  return `${lane}.${part}.${sign(secret, 'message', lane, part)}@${domain}`;
}

/** Each costs a signature; a mail has a few. */
const MOST_CHECKED = 200;

export interface OwnMessageId {
  readonly id: string;
  readonly lane: string;
}

/** Those of ours that stand anywhere in a text, each once. */
export function ownMessageIds(text: string, { secret }: EmailAccount): readonly OwnMessageId[] {
  const found = new Map<string, OwnMessageId>();
  for (const [whole, lane = '', part = '', proof] of text.matchAll(form).take(MOST_CHECKED)) {
    if (!sameSecret(proof, sign(secret, 'message', lane, part))) continue;
    const id = whole.replace(/^<|>$/g, '');
    found.set(id, { id, lane });
  }
  return [...found.values()];
}

/** What stands in brackets in `References` and the like; some programs leave the brackets out. */
export function readMessageIds(header: string): readonly string[] {
  const inBrackets = [...header.matchAll(/<([^<>]+)>/g)].map(([, id = '']) => id.replaceAll(/\s+/g, ''));
  const found =
    inBrackets.length > 0 ? inBrackets : header.split(/[\s,]+/).filter((word) => /.@./.test(word));
  return [...new Set(found.filter((id) => id !== '' && id.length <= 998))];
}
