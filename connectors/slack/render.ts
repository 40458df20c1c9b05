import type { ConversationRef } from '../../core/contract/account.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import type { Block } from '../shared/markdown/block.ts';
import { plainText } from '../shared/markdown/plain-text.ts';
import { readMarkdown } from '../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { MARKDOWN_CHARS } from './manifest.ts';
import { neutral } from './neutral.ts';
import type { Part } from './part.ts';
import { lineOf, shownSources } from './shown-sources.ts';
import { slackMarkdown, TABLE_COLUMNS } from './slack-markdown.ts';
import { writeMarkdown } from './write-markdown.ts';

/** Slack sends nothing that is empty. */
const NOTHING = '…';

/** One message of Slack, for almost every answer; several where it is longer than one may be. */
export function render(reply: Reply, _to: ConversationRef): readonly OutboundPart[] {
  const sources = shownSources(reply.sources);
  const room = MARKDOWN_CHARS - sources.map(lineOf).join('\n').length;
  const texts = split(reply.text, room);
  return texts.map(({ markdown, text }, index): { content: Part } => {
    const isLast = index === texts.length - 1;
    const lines = isLast ? sources.map(({ title, url }) => (url === null ? title : `${title} (${url})`)) : [];
    return {
      content: {
        markdown,
        text: [text, ...lines].join('\n'),
        sources: isLast ? sources : [],
        offers: isLast ? [...reply.offers] : [],
        language: reply.language ?? null,
      },
    };
  });
}

function split(text: string, room: number): readonly Pick<Part, 'markdown' | 'text'>[] {
  const blocks = readMarkdown(text, { tableColumns: TABLE_COLUMNS });
  const plain = plainText(blocks).trim();
  if (plain === '') return [{ markdown: NOTHING, text: NOTHING }];
  const whole = slackMarkdown(text);
  if (whole.length <= room) return [{ markdown: whole, text: plain }];
  const written = (part: readonly Block[]) => neutral(writeMarkdown(part));
  const parts = splitBlocks(blocks, (part) => written(part).length <= room);
  return parts.map((part) => ({ markdown: written(part), text: plainText(part) }));
}
