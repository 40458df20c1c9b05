import type { SpeakingWindow } from '../../../core/contract/facets.ts';
import type { OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import { readMarkdown } from '../../shared/markdown/read-markdown.ts';
import { plainText } from '../../shared/markdown/write-blocks.ts';
import { partOf } from '../messaging/deliver.ts';
import type { WhatsappAccount, WhatsappSettings } from './manifest.ts';

/** WhatsApp refuses templates that are longer than 1,024 characters with all that fills them. */
const MOST_CHARACTERS = 700;

export const window: SpeakingWindow<WhatsappAccount['credentials'], WhatsappSettings> = {
  lastsMs: 24 * 60 * 60 * 1_000,
  because:
    'WhatsApp takes free text only within 24 hours after the visitor last wrote. Wait until he writes again, or set settings.templates.reply of the channel to a template that WhatsApp has approved: it is sent in place of the reply.',
  applies: () => true,
  instead: (reply, _to, { settings }) => templateFor(reply, settings),
  isTimeless: (part) => 'contentSid' in partOf(part),
};

function templateFor({ text }: Pick<Reply, 'text'>, { templates }: WhatsappSettings): OutboundPart | null {
  if (templates?.reply === undefined) return null;
  const { content_sid: contentSid, variables = { 1: '{text}' } } = templates.reply;
  const words = lineOf(text);
  const filled = Object.entries(variables).map(([name, value]) => [
    name,
    value.replaceAll('{text}', () => words),
  ]);
  return { content: { contentSid, variables: Object.fromEntries(filled) } };
}

/** What fills a gap is one line to WhatsApp, and never empty. */
function lineOf(markdown: string): string {
  const line = plainText(readMarkdown(markdown, { tableColumns: 0 }))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut =
    line.length <= MOST_CHARACTERS
      ? line
      : `${line.slice(0, MOST_CHARACTERS).replace(/(?<!\s)\s+\S*$/, '')}…`;
  return cut || '…';
}
