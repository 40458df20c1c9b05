import type { OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import { parseWebLink } from '../../shared/http.ts';
import type { Block } from '../../shared/markdown/blocks.ts';
import { renderPlainText } from '../../shared/markdown/blocks.ts';
import { parseMarkdown } from '../../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../../shared/markdown/split-blocks.ts';
import { withPersonLine } from '../../shared/offer-texts.ts';
import { manifest } from './manifest.ts';

/** Carriers deliver this length reliably, and people read it. */
const MAX_CHARS = 320;
/** Twilio's limit for one message. */
const MAX_SEGMENTS = 10;
/** A longer link does not fit into a short message. */
const MAX_LINK_CHARS = 100;
const PLACEHOLDER = '...';

/**
 * Renders a reply as plain text. Of a long answer of the bot the lead is sent, or the beginning, and the rest on request. A reply of an
 * agent is sent whole. The first part contains the first source.
 */
export function render(whole: Reply): readonly OutboundPart[] {
  const reply = withPersonLine(whole);
  const blocks = parseMarkdown(reply.text, { tableColumns: 0 });
  if (reply.author === 'agent') return splitParts(split(blocks, (text) => isSendable(text)));
  const link = shortLink(reply);
  const full = writeReply(blocks) + link;
  if (isShort(full)) return splitParts([full]);
  const hint = `\n\n${continuationHint(reply.language ?? 'en')}`;
  const lead = reply.lead === undefined ? [] : parseMarkdown(reply.lead, { tableColumns: 0 });
  const fits = (text: string) => isShort(text + link + hint);
  const sent = writeReply(lead);
  const rest = blocks.filter((block) => !sent.includes(writeReply([block])));
  const texts = [...split(lead, fits), ...split(rest, fits)];
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
  return text.length <= MAX_CHARS;
}

function isSendable(text: string): boolean {
  return text.length <= manifest.limits.textChars && countSegments(text) <= MAX_SEGMENTS;
}

function shortLink({ sources }: Pick<Reply, 'sources'>): string {
  const links = sources.flatMap(({ url }) => (url === null ? [] : [parseWebLink(url)]));
  const short = links.find((link) => link !== null && link.length <= MAX_LINK_CHARS);
  return short == null ? '' : `\n\n${short}`;
}

function splitParts(texts: readonly string[]): readonly OutboundPart[] {
  const bodies = texts.map((text) => text.trim()).filter((text) => text !== '');
  return (bodies.length > 0 ? bodies : [PLACEHOLDER]).map((body) => ({ content: { body } }));
}

/** Replacements in the GSM-7 alphabet that look the same, or nearly. */
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
 * Replaces characters so that the text fits GSM-7: a single curly quote would make it more than twice as long. If other
 * characters have no replacement, the text stays unchanged.
 */
export function toGsm(text: string): string {
  const substituted = GSM_SUBSTITUTES.reduce(
    (written, [letters, substitute]) => written.replaceAll(letters, substitute),
    text,
  );
  return isGsmText(substituted) ? substituted : text;
}

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Each counts as two characters. */
const EXTENDED = new Set('\f^{}\\[~]|€');

const GSM = { full: 160, piece: 153 };
/** In UTF-16 units. */
const UCS2 = { full: 70, piece: 67 };

/** Whether a text fits the seven-bit alphabet. A single other character forces 16 bits for the whole text. */
function isGsmText(text: string): boolean {
  return [...text].every((letter) => BASIC.has(letter) || EXTENDED.has(letter));
}

/** Returns the number of segments that carriers send, and bill, for a text. */
export function countSegments(text: string): number {
  const letters = [...text];
  const [units, segment] = isGsmText(text)
    ? [letters.reduce((sum, letter) => sum + (EXTENDED.has(letter) ? 2 : 1), 0), GSM]
    : [text.length, UCS2];
  return units <= segment.full ? 1 : Math.ceil(units / segment.piece);
}

const english = 'Reply MORE for the rest.';
const hints: Readonly<Record<string, string>> = {
  de: 'Antworten Sie MEHR, um weiterzulesen.',
  es: 'Responda MAS para leer el resto.',
  fr: 'Répondez SUITE pour lire la suite.',
};

/**
 * Returns the hint that asks for the rest of an answer, in a language (ISO 639-1); in English if there is no
 * translation.
 */
function continuationHint(language: string): string {
  return hints[language] ?? english;
}
