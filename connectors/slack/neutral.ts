/** Joins two letters without being seen: what Slack would read as one sign stays two. */
const JOINER = '\u2060';

/**
 * Markdown that calls nobody and breaks no link, whoever wrote it: `<!channel>` and `<@…>` are left as words, and a `|`
 * in an address does not end it. What a beginning of a text becomes is the beginning of what the text becomes.
 */
export function neutral(markdown: string): string {
  return markdown
    .replaceAll(/<(?=[@#!])/g, `<${JOINER}`)
    .split('\n')
    .map((line) =>
      /^\s*\|/.test(line)
        ? line
        : line.replaceAll(/https?:\/\/[^\s<>]*/g, (link) => link.replaceAll('|', '%7C')),
    )
    .join('\n');
}

/** The three signs that mean something in Slack's own markup. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
