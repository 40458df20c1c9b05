/** Code, comments and scripts: what stands in them is not Markdown. */
const VERBATIM = [
  '^[ \\t]*(?:`{3,})[^`\\n]*\\n[\\s\\S]*?^[ \\t]*`{3,}[ \\t]*$',
  '^[ \\t]*(?:~{3,})[^\\n]*\\n[\\s\\S]*?^[ \\t]*~{3,}[ \\t]*$',
  '^<!--[\\s\\S]*?-->',
  '^<(?:pre|script|style|textarea)\\b[\\s\\S]*?</(?:pre|script|style|textarea)>',
].join('|');

export interface MarkdownPart {
  readonly verbatim: boolean;
  readonly text: string;
}

/** Parts Markdown into what is to be read as such and what stands as it is. */
export function verbatimParts(markdown: string): readonly MarkdownPart[] {
  const pattern = new RegExp(`(${VERBATIM})`, 'gim');
  return markdown.split(pattern).map((text, index) => ({ verbatim: index % 2 === 1, text }));
}
