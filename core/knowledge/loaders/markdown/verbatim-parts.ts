export interface MarkdownPart {
  readonly verbatim: boolean;
  readonly text: string;
}

/** Where code, a comment or a script begins: what stands in them is not Markdown. */
const OPENING =
  /^(?:[ \t]*(?:(?<fence>```)`*[^`\n\r\u2028\u2029]*|(?<tildes>~~~)[^\n\r\u2028\u2029]*)\r?\n|(?<comment><!--)|(?<element><(?:pre|script|style|textarea))\b)/gim;
const CLOSINGS = {
  fence: /^[ \t]*`{3,}[ \t]*$/gm,
  tildes: /^[ \t]*~{3,}[ \t]*$/gm,
  comment: /-->/g,
  element: /<\/(?:pre|script|style|textarea)>/gi,
} as const;

/** Parts Markdown into what is to be read as such and what stands as it is, in turns: Markdown is the first and the last. */
export function verbatimParts(markdown: string): readonly MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  /** Closings that no longer come: without this, every opening would search the rest of the text. */
  const missing = new Set<string>();
  let done = 0;
  for (const { index, 0: opening, groups } of markdown.matchAll(OPENING)) {
    const kind = kindOf(groups ?? {});
    if (index < done || missing.has(kind)) continue;
    const end = endAfter(CLOSINGS[kind], markdown, index + opening.length);
    if (end === null) {
      missing.add(kind);
      continue;
    }
    parts.push({ verbatim: false, text: markdown.slice(done, index) });
    parts.push({ verbatim: true, text: markdown.slice(index, end) });
    done = end;
  }
  parts.push({ verbatim: false, text: markdown.slice(done) });
  return parts;
}

function kindOf({ fence, tildes, comment }: Readonly<Record<string, string | undefined>>) {
  if (fence !== undefined) return 'fence';
  if (tildes !== undefined) return 'tildes';
  return comment === undefined ? 'element' : 'comment';
}

function endAfter(closing: RegExp, text: string, from: number): number | null {
  closing.lastIndex = from;
  return closing.test(text) ? closing.lastIndex : null;
}
