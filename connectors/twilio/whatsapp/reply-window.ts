import type { MessagingWindow } from '../../../core/contract/facets.ts';
import type { OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import { parseMarkdown } from '../../shared/markdown/read-markdown.ts';
import { renderPlainText } from '../../shared/markdown/write-blocks.ts';
import { parsePart } from '../messaging/deliver.ts';
import type { WhatsappAccount, WhatsappSettings } from './manifest.ts';

/** WhatsApp refuses templates that are longer than 1,024 characters with all that fills them. */
const MOST_CHARACTERS = 700;

export const replyWindow: MessagingWindow<WhatsappAccount['credentials'], WhatsappSettings> = {
  lastsMs: 24 * 60 * 60 * 1_000,
  reason:
    'WhatsApp takes free text only within 24 hours after the visitor last wrote. Wait until he writes again, or set settings.templates.reply of the channel to a template that WhatsApp has approved: it is sent in place of the reply.',
  appliesTo: () => true,
  renderTemplate: (reply, _to, { settings }) => findTemplate(reply, settings),
  isTimeless: (part) => 'contentSid' in parsePart(part),
};

function findTemplate({ text }: Pick<Reply, 'text'>, { templates }: WhatsappSettings): OutboundPart | null {
  if (templates?.reply === undefined) return null;
  const { content_sid: contentSid, variables = { 1: '{text}' } } = templates.reply;
  const words = singleLine(text);
  const filled = Object.entries(variables).map(([name, value]) => [
    name,
    value.replaceAll('{text}', () => words),
  ]);
  return { content: { contentSid, variables: Object.fromEntries(filled) } };
}

/** What fills a gap is one line to WhatsApp, and never empty. */
function singleLine(markdown: string): string {
  const line = renderPlainText(parseMarkdown(markdown, { tableColumns: 0 }))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut =
    line.length <= MOST_CHARACTERS
      ? line
      : `${line.slice(0, MOST_CHARACTERS).replace(/(?<!\s)\s+\S*$/, '')}…`;
  return cut || '…';
}
