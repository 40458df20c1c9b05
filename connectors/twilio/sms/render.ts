import type { OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import type { Block } from '../../shared/markdown/block.ts';
import { plainText } from '../../shared/markdown/plain-text.ts';
import { readMarkdown } from '../../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../../shared/markdown/split-blocks.ts';
import { webLink } from '../../shared/web-link.ts';
import { countSegments } from './count-segments.ts';
import { moreHint } from './hints.ts';
import { manifest } from './manifest.ts';
import { toGsm } from './to-gsm.ts';

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
  const blocks = readMarkdown(reply.text, { tableColumns: 0 });
  if (reply.author === 'agent') return partsOf(split(blocks, (text) => isSendable(text)));
  const link = linkOf(reply);
  const whole = written(blocks) + link;
  if (isShort(whole)) return partsOf([whole]);
  const hint = `\n\n${moreHint(reply.language ?? 'en')}`;
  const texts = split(blocks, (text) => isShort(text + link + hint));
  return partsOf(
    texts.map((text, index) => text + (index === 0 ? link : '') + (index < texts.length - 1 ? hint : '')),
  ).map((part, index) => (index === 0 ? part : { ...part, onRequest: true }));
}

function split(blocks: readonly Block[], fits: (text: string) => boolean): readonly string[] {
  return splitBlocks(blocks, (some) => fits(written(some)))
    .map(written)
    .filter((text) => text.trim() !== '');
}

function written(blocks: readonly Block[]): string {
  return toGsm(plainText(blocks));
}

function isShort(text: string): boolean {
  return text.length <= SHORT;
}

function isSendable(text: string): boolean {
  return text.length <= manifest.limits.textChars && countSegments(text) <= MOST_SEGMENTS;
}

function linkOf({ sources }: Pick<Reply, 'sources'>): string {
  const links = sources.flatMap(({ url }) => (url === null ? [] : [webLink(url)]));
  const short = links.find((link) => link !== null && link.length <= SHORT_LINK);
  return short == null ? '' : `\n\n${short}`;
}

function partsOf(texts: readonly string[]): readonly OutboundPart[] {
  const bodies = texts.map((text) => text.trim()).filter((text) => text !== '');
  return (bodies.length > 0 ? bodies : [NOTHING]).map((body) => ({ content: { body } }));
}
