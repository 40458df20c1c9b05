/** Neither goes past the beginning of the next one, so that a line of beginnings is read once. */
const SHORTCODE = /\{\{[<%]((?:(?!\{\{)[^\n])*?)[%>]\}\}/g;
const TITLE = /(?:header|heading|title|summary|label)="([^"\n]*)"/;
const SUMMARY = /(?:summary|title)="([^"\n]*)"/;
const ATTRIBUTE_LIST = /(?<![ \t])[ \t]*\{:?[ \t]*[.#:][^{}\n]*\}[ \t]*$/gm;
const TABLE_OF_CONTENTS = /^[ \t]*(?:\[\[_TOC_\]\]|\[TOC\]|\{:toc\})[ \t]*$/gim;
const ADMONITION = /^[ \t]*:{3,}([^\n]*)$/gm;
const ALERT = /^([ \t]*>[ \t]*)\[!\w+\][ \t]*/gm;

/** Takes out what Hugo, Kramdown, Docusaurus, GitLab and GitHub add to Markdown, and keeps the text within it. */
export function withoutDialects(markdown: string): string {
  return markdown
    .replace(SHORTCODE, (_shortcode, inner: string) => withoutShortcode(inner))
    .replace(ATTRIBUTE_LIST, '')
    .replace(TABLE_OF_CONTENTS, '')
    .replace(ADMONITION, withoutAdmonition)
    .replace(ALERT, '$1');
}

/** What is left of a shortcode: the title that it shows, if it has one. */
function withoutShortcode(inner: string): string {
  const [, name = '', attributes = ''] = /^\s*(\/?[\w-]+)(.*)$/s.exec(inner) ?? [];
  if (name === '/details') return '\n\n</details>\n\n';
  const summary = name === 'details' ? SUMMARY.exec(attributes)?.[1] : undefined;
  if (summary !== undefined) return `\n\n<details><summary>${summary}</summary>\n\n`;
  const title = TITLE.exec(attributes)?.[1];
  return title === undefined ? '' : `\n\n${title}\n\n`;
}

/** `:::tip[Title]{.wide}` leaves its title; a line with other braces is none. */
function withoutAdmonition(line: string, rest: string): string {
  const [, words = ''] = /^[ \t]*(?:[a-z]+[ \t]*)?(.*)$/is.exec(rest) ?? [];
  const title = words.replace(/\{[^{}]*\}\s*$/, '').trimEnd();
  if (title.includes('{')) return line;
  return `\n${/^\[([^\]]*)\]$/.exec(title)?.[1] ?? title}\n`;
}
