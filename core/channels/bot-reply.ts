import { toReadableSource } from '../answering/answer.ts';
import { truncateText } from '../base/text.ts';
import { type Answer, placeLabel, placeUrl, type Source } from '../contract/answer.ts';
import type { Reply } from '../contract/outbound.ts';
import { humanSkill } from '../contract/skill.ts';
import { findText } from '../language/localised-texts.ts';

const MAX_SOURCES = 3;

interface Answered {
  /** The id of the message that holds the answer. */
  readonly id: string;
  readonly language: string;
  /** The sentence that a machine answers; null if the answer does not begin with it. */
  readonly disclosure: string | null;
  /** The platform's id of the message that the answer is for; null if there is none. */
  readonly replyTo: string | null;
  /** Whether the visitor is offered a person and asked for feedback. */
  readonly offers: boolean;
}

/**
 * Returns an answer as connectors render it. A fallback has no sources: it shows the page that may help instead. Pure.
 */
export function toBotReply(
  { text, lead, sources, tier, skillsFired }: Answer,
  { id, language, disclosure, replyTo, offers }: Answered,
): Reply {
  const cited = tier === 'none' ? [] : sources.slice(0, MAX_SOURCES);
  const distinct = new Map(
    cited.toReversed().map((source) => [source.documentId, toReplySource(source, language)]),
  );
  const handover = skillsFired.includes(humanSkill);
  const [nearMiss] = tier === 'none' && !handover ? sources : [];
  const related = nearMiss === undefined ? [] : [renderNearMiss(nearMiss, language)];
  return {
    id,
    author: 'bot',
    text: [...(disclosure === null ? [] : [disclosure]), text, ...related].join('\n\n'),
    sources: [...distinct.values()].toReversed(),
    replyTo,
    ...(lead !== null && !handover && { lead }),
    offers: handover || !offers ? [] : [tier === 'maybe' ? 'helped' : 'feedback', 'human'],
    language,
    handover,
  };
}

/** Names the place of the passage, and links to it. */
function toReplySource({ title, url, place }: Source, language: string): Reply['sources'][number] {
  return {
    title: place === null ? title : `${title}, ${placeLabel(place, language)}`,
    url: placeUrl(place, url),
  };
}

const MAX_QUOTE_CHARACTERS = 200;
const LINK_MARKUP = /[[\]\\<>]/gu;

/** Returns a link to the page that may help, or the beginning of its passage if the document has no address. */
function renderNearMiss(source: Source, language: string): string {
  const { title, url, chunk } = toReadableSource(source);
  const { mayHelp } = findText('channel', language);
  const name = title.replace(LINK_MARKUP, ' ').trim();
  if (url !== null) return `${mayHelp}: [${name}](<${url.replace(LINK_MARKUP, encodeURIComponent)}>)`;
  const quote = truncateText(chunk.replace(/\s+/gu, ' '), MAX_QUOTE_CHARACTERS);
  return `${mayHelp}: **${name}**\n\n> ${quote}`;
}
