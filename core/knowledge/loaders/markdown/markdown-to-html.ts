import { micromark } from 'micromark';
import { gfmFootnote, gfmFootnoteHtml } from 'micromark-extension-gfm-footnote';
import { gfmStrikethrough, gfmStrikethroughHtml } from 'micromark-extension-gfm-strikethrough';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { escapeCrowded } from '../../../text.ts';
import { DocumentError } from '../../document-error.ts';
import { markdownSections } from './markdown-sections.ts';
import { verbatimParts } from './verbatim-parts.ts';
import { withoutDialects } from './without-dialects.ts';

const DEEP_QUOTE = /^(?:[ \t]*>){100}/m;
/** Elements that swallow the rest of a page when nothing closes them; in prose they are mere mentions. */
const SWALLOWING = 'iframe noembed noframes plaintext script select style template textarea title xmp'.split(
  ' ',
);

/** Renders Markdown: CommonMark with tables, strike-through and footnotes. Throws `nested_too_deeply`. */
export function markdownToHtml(markdown: string): string {
  if (DEEP_QUOTE.test(markdown)) throw new DocumentError('nested_too_deeply');
  const parts = verbatimParts(markdown).map((part) =>
    part.verbatim ? part : { ...part, text: escapeCrowded(withoutDialects(part.text)) },
  );
  return SWALLOWING.reduce(withoutUnclosed, markdownSections(parts).map(render).join('\n'));
}

function render(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfmTable(), gfmStrikethrough(), gfmFootnote()],
    htmlExtensions: [gfmTableHtml(), gfmStrikethroughHtml(), gfmFootnoteHtml()],
  });
}

function withoutUnclosed(html: string, tag: string): string {
  if (new RegExp(`</${tag}\\s*>`, 'i').test(html)) return html;
  return html.replace(new RegExp(`<${tag}(?:\\s[^<>]*)?>`, 'gi'), '');
}
