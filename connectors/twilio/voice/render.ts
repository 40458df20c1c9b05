import { z } from 'zod';
import type { ConversationRef } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import { webLink } from '../../shared/http.ts';
import { addressOf } from './identifiers.ts';
import { manifest, type VoiceAccount } from './manifest.ts';
import { portionSpeech, spokenSentences } from './speech/spoken-sentences.ts';
import { voiceTexts } from './voice-texts.ts';

const MOST_LINKS = 3;

/**
 * What is read aloud, half a minute of it, and kept for who wants to hear on: the rest, and the links by message. The words
 * for those hold what they belong to, so that an old yes never gets what is new.
 */
export function render(reply: Reply, to: ConversationRef, account: VoiceAccount): readonly OutboundPart[] {
  const { call } = addressOf(to);
  const texts = voiceTexts(account.settings.language);
  const sentences = spokenSentences(reply.text, account.settings.language);
  const portions = portionSpeech(sentences.length > 0 ? sentences : [texts.lost]);
  const handover = reply.handover && reply.author === 'bot';
  const { replyTo } = reply;
  if (replyTo === null || reply.author === 'agent') {
    return portions.map((portion, index) =>
      spoken({ sentences: portion, asks: null, handover: handover && index === 0 }, call),
    );
  }
  const message = handover ? null : messageOf(reply, to, account);
  const link = linkWord(replyTo);
  const spokenParts = portions.map((portion, index): OutboundPart => {
    const isLast = index === portions.length - 1;
    const further = !isLast
      ? ask('more', `${replyTo} ${index + 1}`)
      : message === null
        ? null
        : ask('link', link);
    const asks = handover ? null : further;
    const part = spoken(
      { sentences: portion, asks, handover: handover && index === 0 },
      index === 0 ? call : `${replyTo} ${index}`,
    );
    return index === 0 ? part : { ...part, onRequest: true };
  });
  return message === null
    ? spokenParts
    : [...spokenParts, { content: { kind: 'message', text: message }, onRequest: link }];
}

/** What a caller asks for who wants the links of an answer. */
export function linkWord(messageId: string): string {
  return `${messageId} link`;
}

function ask(asks: 'more' | 'link', what: string): SpeechPart['asks'] {
  return { asks, what };
}

function spoken({ sentences, asks, handover }: Readable, key: string): OutboundPart {
  return { content: { kind: 'speech', sentences, asks, handover }, collectedBy: key };
}

interface Readable extends Omit<SpeechPart, 'kind' | 'sentences'> {
  readonly sentences: readonly string[];
}

/** Null where there is no link, or no telephone to send it to. */
function messageOf({ sources }: Reply, to: ConversationRef, { settings }: VoiceAccount): string | null {
  const links = sources.flatMap(({ title, url }) => {
    const link = url === null ? null : webLink(url);
    return link === null ? [] : [`${title.trim().replaceAll(/\s+/g, ' ').slice(0, 120)}: ${link}`];
  });
  if (links.length === 0 || addressOf(to).caller === null) return null;
  const lines = [voiceTexts(settings.language).linkTitle];
  for (const line of links.slice(0, MOST_LINKS)) {
    if ([...lines, line].join('\n').length <= manifest.limits.textChars) lines.push(line);
  }
  return lines.length > 1 ? lines.join('\n') : null;
}

const speech = z.object({
  kind: z.literal('speech'),
  sentences: z.array(z.string()),
  /** What the caller is asked then, and the word for what he gets if he says yes. */
  asks: z.object({ asks: z.enum(['more', 'link']), what: z.string() }).nullable(),
  /** Whether he is to speak with a person now. */
  handover: z.boolean(),
});
const message = z.object({ kind: z.literal('message'), text: z.string() });
const schema = z.discriminatedUnion('kind', [speech, message]);

/** What is read aloud in one go. */
export type SpeechPart = z.infer<typeof speech>;
/** What is sent to the caller's telephone, when he says yes to it. */
type MessagePart = z.infer<typeof message>;

export function partOf({ content }: OutboundPart): SpeechPart | MessagePart {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is nothing for a telephone.', { advice: { retry: 'never' } });
}
