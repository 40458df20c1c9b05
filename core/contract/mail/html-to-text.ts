import { compile } from 'html-to-text';

const MAX_LINKS = 2_000;
/** The time of html-to-text grows with the square of unclosed tags. A long newsletter has half as many. */
const MAX_TAGS = 10_000;

/** Marks quotations with `>` and skips images, which are mostly decoration. */
const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: 1_000_000, maxDepth: 200, maxChildNodes: MAX_LINKS },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'head', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'script', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, noAnchorUrl: true } },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'h2', options: { uppercase: false } },
    { selector: 'h3', options: { uppercase: false } },
    { selector: 'h4', options: { uppercase: false } },
    { selector: 'h5', options: { uppercase: false } },
    { selector: 'h6', options: { uppercase: false } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'block' },
    { selector: 'hr', options: { length: 12 } },
  ],
});

export function htmlToText(html: string): string {
  return convert(firstTags(html)).replaceAll('\u00a0', ' ');
}

function firstTags(html: string): string {
  let end = -1;
  for (let tag = 0; tag < MAX_TAGS; tag += 1) {
    end = html.indexOf('<', end + 1);
    if (end < 0) return html;
  }
  return html.slice(0, end);
}
