import type { Reply } from '../../../core/contract/outbound.ts';
import { webLink } from '../web-link.ts';
import type { Block, Span } from './block.ts';

const MOST = 3;

/** Where an answer is from, a line each; the sign says so in every language. */
export function sourceBlocks(sources: Reply['sources']): readonly Block[] {
  return sources.slice(0, MOST).map((source, index) => {
    const span = titled(source);
    const prefix = span.style.link === undefined ? '📄 ' : '🔗 ';
    return { kind: 'text', heading: null, prefix, quoted: false, tight: index > 0, spans: [span] };
  });
}

function titled({ title, url }: Reply['sources'][number]): Span {
  const link = url === null ? null : webLink(url);
  const text = title.trim().replaceAll(/\s+/g, ' ');
  if (link === null) return { text: text || '…', style: {} };
  return { text: text || link, style: { link } };
}
