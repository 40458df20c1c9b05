import type { Reply } from '../../core/contract/outbound.ts';
import { webLink } from '../shared/web-link.ts';
import { escaped } from './neutral.ts';
import type { Part } from './part.ts';

const MOST = 3;
const TITLE_CHARS = 150;
/** So that three of them fit one block. */
const LINE_CHARS = 950;

/** Where an answer is from, as it is stored with it. */
export function shownSources(sources: Reply['sources']): Part['sources'] {
  return sources.slice(0, MOST).map((source) => {
    const url = source.url === null ? null : (webLink(source.url)?.replaceAll('|', '%7C') ?? null);
    const title = source.title.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '¦');
    const shown = [...(title || url || '…')].slice(0, TITLE_CHARS).join('');
    return {
      title: shown,
      url: url !== null && lineOf({ title: shown, url }).length > LINE_CHARS ? null : url,
    };
  });
}

/** In Slack's own markup; the sign says in every language what it is. */
export function lineOf({ title, url }: Part['sources'][number]): string {
  return url === null ? `📄 ${escaped(title)}` : `🔗 <${escaped(url)}|${escaped(title)}>`;
}
