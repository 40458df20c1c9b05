import { BlockCollector } from './block-collector.ts';
import { entitle } from './entitle.ts';
import { findMainContent } from './html/find-main-content.ts';
import { pageMetadata } from './html/page-metadata.ts';
import { parseHtml } from './html/parse-html.ts';
import { prune } from './html/prune.ts';
import { textLength } from './html/text-length.ts';
import { walkBlocks } from './html/walk-blocks.ts';
import type { LoadedDocument } from './loaded-document.ts';
import type { LoadingLimits } from './loading-limits.ts';

/** Reads the main content of an HTML page. Throws a DocumentError. */
export function loadHtml(html: string, limits: LoadingLimits): LoadedDocument {
  const page = parseHtml(html);
  const stated = pageMetadata(page);
  prune(page, { keepLandmarks: false });
  const collector = new BlockCollector(limits);
  if (textLength(page) > 0) walkBlocks(findMainContent(page), collector);
  else walkBlocks(wholePage(html), collector);
  return entitle(collector, stated);
}

function wholePage(html: string): ReturnType<typeof parseHtml> {
  const page = parseHtml(html);
  prune(page, { keepLandmarks: true });
  return page;
}
