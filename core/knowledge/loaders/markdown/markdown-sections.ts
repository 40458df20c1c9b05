import type { MarkdownPart } from './verbatim-parts.ts';

/** The parser's time grows faster than its input from about here on. */
const SECTION_CHARACTERS = 50_000;
/** A paragraph or heading at the margin after a blank line belongs to nothing that came before it. */
const SAFE_START = /(?<=\n[ \t]*\n)(?=[#\p{L}])/u;
const DEFINITION = /^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:[ \t]*\S.*$/gm;
const MAX_DEFINITION_CHARACTERS = 20_000;

/** Parts a long text into sections that can be rendered one by one, each with the link definitions of all. */
export function markdownSections(parts: readonly MarkdownPart[]): readonly string[] {
  const sections: string[] = [];
  let open = '';
  for (const part of parts) {
    const blocks = part.verbatim ? [part.text] : part.text.split(SAFE_START);
    for (const [index, block] of blocks.entries()) {
      if (index > 0 && open.length >= SECTION_CHARACTERS) {
        sections.push(open);
        open = '';
      }
      open += block;
    }
  }
  sections.push(open);
  return sections.length === 1 ? sections : withDefinitions(sections, parts);
}

function withDefinitions(sections: readonly string[], parts: readonly MarkdownPart[]): readonly string[] {
  const found = parts.flatMap(({ verbatim, text }) => (verbatim ? [] : (text.match(DEFINITION) ?? [])));
  const definitions = found.join('\n');
  if (definitions === '' || definitions.length > MAX_DEFINITION_CHARACTERS) return sections;
  return sections.map((section) => `${section}\n\n${definitions}\n`);
}
