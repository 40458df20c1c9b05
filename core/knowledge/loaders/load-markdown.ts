import { BlockCollector } from './block-collector.ts';
import { entitle } from './entitle.ts';
import { parseHtml } from './html/parse-html.ts';
import { prune } from './html/prune.ts';
import { walkBlocks } from './html/walk-blocks.ts';
import type { LoadedDocument } from './loaded-document.ts';
import type { LoadingLimits } from './loading-limits.ts';
import { readFrontMatter } from './markdown/front-matter.ts';
import { markdownToHtml } from './markdown/markdown-to-html.ts';

/** Reads Markdown with or without front matter. Throws a DocumentError. */
export function loadMarkdown(markdown: string, limits: LoadingLimits): LoadedDocument {
  const { title, url, body } = readFrontMatter(markdown);
  const page = parseHtml(markdownToHtml(body));
  prune(page, { keepLandmarks: false });
  const collector = new BlockCollector(limits);
  walkBlocks(page, collector);
  return entitle(collector, { title, url });
}
