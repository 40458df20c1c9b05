import { z } from 'zod';
import type { ConversationRef } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import { parseWebLink } from '../../shared/http.ts';
import { withPersonLine } from '../../shared/offer-texts.ts';
import { parseAddress } from './identifiers.ts';
import { manifest, type VoiceAccount } from './manifest.ts';
import { splitIntoPortions, spokenSentences } from './speech/spoken-sentences.ts';
import { voiceTexts } from './voice-texts.ts';

const MAX_LINKS = 3;

/**
 * Renders a reply as spoken parts of half a minute each. The first, which is the lead if
 * there is one, is spoken; the others, and the links by message, are kept on request. Their keys contain the message id, so that a late yes never fetches the parts of a newer answer.
 */
export function render(whole: Reply, to: ConversationRef, account: VoiceAccount): readonly OutboundPart[] {
  const reply = withPersonLine(whole);
  const { call } = parseAddress(to);
  const texts = voiceTexts(account.settings.language);
  const sentences = spokenSentences(reply.text, account.settings.language);
  const lead = reply.lead === undefined ? [] : spokenSentences(reply.lead, account.settings.language);
  const spoken = lead.join(' ');
  const rest = sentences.filter((sentence) => !spoken.includes(sentence));
  const portions = [...splitIntoPortions(lead), ...splitIntoPortions(rest)];
  if (portions.length === 0) portions.push([texts.lost]);
  const handover = reply.handover && reply.author === 'bot';
  const { replyTo } = reply;
  if (replyTo === null || reply.author === 'agent') {
    return portions.map((portion, index) =>
      speechPart({ sentences: portion, asks: null, handover: handover && index === 0 }, call),
    );
  }
  const message = handover ? null : linksMessage(reply, to, account);
  const link = linkKeyword(replyTo);
  const spokenParts = portions.map((portion, index): OutboundPart => {
    const isLast = index === portions.length - 1;
    const nextQuestion = !isLast
      ? followUp('more', `${replyTo} ${index + 1}`)
      : message === null
        ? null
        : followUp('link', link);
    const asks = handover ? null : nextQuestion;
    const part = speechPart(
      { sentences: portion, asks, handover: handover && index === 0 },
      index === 0 ? call : `${replyTo} ${index}`,
    );
    return index === 0 ? part : { ...part, onRequest: true };
  });
  return message === null
    ? spokenParts
    : [...spokenParts, { content: { kind: 'message', text: message }, onRequest: link }];
}

/** Returns the key of the links of an answer. */
export function linkKeyword(messageId: string): string {
  return `${messageId} link`;
}

function followUp(asks: 'more' | 'link', what: string): SpeechPart['asks'] {
  return { asks, what };
}

function speechPart({ sentences, asks, handover }: SpeechReading, key: string): OutboundPart {
  return { content: { kind: 'speech', sentences, asks, handover }, collectedBy: key };
}

interface SpeechReading extends Omit<SpeechPart, 'kind' | 'sentences'> {
  readonly sentences: readonly string[];
}

/** Returns the message with the links; null if there are none, or no number to send them to. */
function linksMessage({ sources }: Reply, to: ConversationRef, { settings }: VoiceAccount): string | null {
  const links = sources.flatMap(({ title, url }) => {
    const link = url === null ? null : parseWebLink(url);
    return link === null ? [] : [`${title.trim().replaceAll(/\s+/g, ' ').slice(0, 120)}: ${link}`];
  });
  if (links.length === 0 || parseAddress(to).caller === null) return null;
  const lines = [voiceTexts(settings.language).linkTitle];
  for (const line of links.slice(0, MAX_LINKS)) {
    if ([...lines, line].join('\n').length <= manifest.limits.textChars) lines.push(line);
  }
  return lines.length > 1 ? lines.join('\n') : null;
}

const speech = z.object({
  kind: z.literal('speech'),
  sentences: z.array(z.string()),
  /** The question after it, and the key of the parts to send after a yes. */
  asks: z.object({ asks: z.enum(['more', 'link']), what: z.string() }).nullable(),
  /** Whether the caller is transferred to a person. */
  handover: z.boolean(),
});
const message = z.object({ kind: z.literal('message'), text: z.string() });
const schema = z.discriminatedUnion('kind', [speech, message]);

/** A part that is spoken in one response. */
export type SpeechPart = z.infer<typeof speech>;
/** A text message, sent if the caller says yes. */
type MessagePart = z.infer<typeof message>;

export function parsePart({ content }: OutboundPart): SpeechPart | MessagePart {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('The part is neither speech nor a message.', { advice: { retry: 'never' } });
}
