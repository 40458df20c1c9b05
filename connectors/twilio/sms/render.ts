import type { OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import { parseWebLink } from '../../shared/http.ts';
import type { Block } from '../../shared/markdown/blocks.ts';
import { parseMarkdown } from '../../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../../shared/markdown/split-blocks.ts';
import { renderPlainText } from '../../shared/markdown/write-blocks.ts';
import { manifest } from './manifest.ts';

/** What carriers deliver well, and people read. */
const SHORT = 320;
/** Twilio sends no more at once. */
const MOST_SEGMENTS = 10;
/** A longer address is no help in a short message. */
const SHORT_LINK = 100;
const NOTHING = '...';

/**
 * Plain text. What a machine says is short, and the rest is kept until it is asked for; what a person says is sent as it
 * is. The first source goes with what is read first.
 */
export function render(reply: Reply): readonly OutboundPart[] {
  const blocks = parseMarkdown(reply.text, { tableColumns: 0 });
  if (reply.author === 'agent') return splitParts(split(blocks, (text) => isSendable(text)));
  const link = shortLink(reply);
  const whole = writeReply(blocks) + link;
  if (isShort(whole)) return splitParts([whole]);
  const hint = `\n\n${continuationHint(reply.language ?? 'en')}`;
  const texts = split(blocks, (text) => isShort(text + link + hint));
  return splitParts(
    texts.map((text, index) => text + (index === 0 ? link : '') + (index < texts.length - 1 ? hint : '')),
  ).map((part, index) => (index === 0 ? part : { ...part, onRequest: true }));
}

function split(blocks: readonly Block[], fits: (text: string) => boolean): readonly string[] {
  return splitBlocks(blocks, (some) => fits(writeReply(some)))
    .map(writeReply)
    .filter((text) => text.trim() !== '');
}

function writeReply(blocks: readonly Block[]): string {
  return toGsm(renderPlainText(blocks));
}

function isShort(text: string): boolean {
  return text.length <= SHORT;
}

function isSendable(text: string): boolean {
  return text.length <= manifest.limits.textChars && countSegments(text) <= MOST_SEGMENTS;
}

function shortLink({ sources }: Pick<Reply, 'sources'>): string {
  const links = sources.flatMap(({ url }) => (url === null ? [] : [parseWebLink(url)]));
  const short = links.find((link) => link !== null && link.length <= SHORT_LINK);
  return short == null ? '' : `\n\n${short}`;
}

function splitParts(texts: readonly string[]): readonly OutboundPart[] {
  const bodies = texts.map((text) => text.trim()).filter((text) => text !== '');
  return (bodies.length > 0 ? bodies : [NOTHING]).map((body) => ({ content: { body } }));
}

/** What looks the same in the alphabet of telephones, or nearly. */
const GSM_SUBSTITUTES: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201A\u201B\u2032\u00B4\u0060]/g, "'"],
  [/[\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB]/g, '"'],
  [/[\u2039]/g, '<'],
  [/[\u203A]/g, '>'],
  [/[\u2010-\u2015\u2212\u2043]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u2022\u2023\u25E6\u25AA\u25CF\u00B7]/g, '-'],
  [/\u2610/g, '[ ]'],
  [/[\u2611\u2713\u2714]/g, '[x]'],
  [/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\t]/g, ' '],
  [/[\u200B\u200C\u2060\uFEFF\u00AD]|\u200D|\uFE0F/g, ''],
  [/\u2122/g, '(TM)'],
  [/\u00A9/g, '(c)'],
  [/\u00AE/g, '(R)'],
  [/\u00D7/g, 'x'],
  [/\u2192/g, '->'],
];

/**
 * Writes a text so that it is sent in seven bits where that loses nothing: one curly quotation mark would make it more
 * than twice as long. Where other letters are in it that have no likeness, all stay as they are.
 */
export function toGsm(text: string): string {
  const like = GSM_SUBSTITUTES.reduce(
    (written, [letters, likeness]) => written.replaceAll(letters, likeness),
    text,
  );
  return isGsmText(like) ? like : text;
}

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Each takes the place of two. */
const EXTENDED = new Set('\f^{}\\[~]|€');

const GSM = { whole: 160, piece: 153 };
/** In UTF-16 units. */
const UCS2 = { whole: 70, piece: 67 };

/** Whether a text can be sent in the alphabet of seven bits: one letter beyond it, and all take sixteen. */
function isGsmText(text: string): boolean {
  return [...text].every((letter) => BASIC.has(letter) || EXTENDED.has(letter));
}

/** How many messages a carrier makes of a text, which is what it costs. */
export function countSegments(text: string): number {
  const letters = [...text];
  const [units, room] = isGsmText(text)
    ? [letters.reduce((sum, letter) => sum + (EXTENDED.has(letter) ? 2 : 1), 0), GSM]
    : [text.length, UCS2];
  return units <= room.whole ? 1 : Math.ceil(units / room.piece);
}

const english = 'Reply MORE for the rest.';
const hints: Readonly<Record<string, string>> = {
  de: 'Antworten Sie MEHR, um weiterzulesen.',
  es: 'Responda MAS para leer el resto.',
  fr: 'Répondez SUITE pour lire la suite.',
};

/** How the rest of an answer is asked for, in a language (ISO 639-1) where it is one of these, else in English. */
function continuationHint(language: string): string {
  return hints[language] ?? english;
}
