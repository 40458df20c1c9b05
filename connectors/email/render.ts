import { createHash } from 'node:crypto';
import type { ConversationRef } from '../../core/contract/account.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import type { Block } from '../shared/markdown/block.ts';
import { plainText } from '../shared/markdown/plain-text.ts';
import { replyBlocks } from '../shared/markdown/reply-blocks.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { addressOf, type MailAddress } from './address.ts';
import { type EmailAccount, manifest } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import type { Part } from './part.ts';
import { baseSubject } from './subject.ts';
import { threadAddress } from './thread-token.ts';
import { writeHtml } from './write-html.ts';

/** What a mail program shows of code without breaking its lines. */
const TABLE_COLUMNS = 76;
/** More would make headers that servers refuse; the first and the last tell the thread. */
const MAX_REFERENCES = 30;
const MAX_SUBJECT = 250;
const NOTHING = '…';

/** One mail, or several where a text is longer than anybody reads; the first answers the mail that came, the others it. */
export function render(reply: Reply, to: ConversationRef, account: EmailAccount): readonly OutboundPart[] {
  const address = addressOf(to);
  const blocks = replyBlocks(reply, TABLE_COLUMNS);
  const parts = splitBlocks(blocks, fits);
  const written = parts.length > 0 ? parts : [[nothing]];
  const unique =
    reply.id ??
    createHash('sha256')
      .update(JSON.stringify([reply, to.address]))
      .digest('hex');
  const common = {
    to: { name: address.name, address: address.to },
    replyTo: threadAddress(to.lane, account),
    subject: `Re: ${baseSubject(address.subject).slice(0, MAX_SUBJECT).toWellFormed()}`.trim(),
    isAutomatic: reply.author === 'bot',
  };
  return written.map((part, index): { content: Part } => {
    const quoted = index === written.length - 1 ? quotationOf(address) : null;
    return {
      content: {
        ...common,
        messageId: writeMessageId(to.lane, `${unique}.${index}`, account),
        references: shortened(address.references),
        text: [plainText(part), ...(quoted === null ? [] : ['', asText(quoted)])].join('\n'),
        html: writeHtml(part, quoted),
      },
    };
  });
}

const nothing: Block = {
  kind: 'text',
  heading: null,
  prefix: '',
  quoted: false,
  tight: false,
  spans: [{ text: NOTHING, style: {} }],
};

function fits(blocks: readonly Block[]): boolean {
  return plainText(blocks).length <= manifest.limits.textChars;
}

function shortened(references: readonly string[]): string[] {
  if (references.length <= MAX_REFERENCES) return [...references];
  return [...references.slice(0, 1), ...references.slice(1 - MAX_REFERENCES)];
}

/** The first line names the day, which is read in every language. */
function quotationOf({ quote, to }: MailAddress): readonly string[] | null {
  if (quote === null || quote.text.trim() === '') return null;
  return [`${quote.at.slice(0, 16).replace('T', ' ')} UTC, ${to}:`, ...quote.text.trim().split('\n')];
}

function asText([introduction = '', ...lines]: readonly string[]): string {
  return [introduction, ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
}
