/** A line of a markup language whose structure is its indentation. */
export interface MarkupLine {
  readonly indent: number;
  /** The text without white space around it; empty for a blank line. */
  readonly text: string;
  /** The line with its indentation. */
  readonly raw: string;
}

const TAB_WIDTH = 8;

export function toMarkupLines(text: string): readonly MarkupLine[] {
  return text.split('\n').map((line) => {
    const raw = line.replaceAll('\t', ' '.repeat(TAB_WIDTH)).trimEnd();
    const content = raw.trimStart();
    return { indent: raw.length - content.length, text: content, raw };
  });
}

/** Returns the index after the lines from `start` on that are blank or indented by at least `indent`. */
export function indentedEnd(lines: readonly MarkupLine[], start: number, indent: number): number {
  let end = start;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || (line.text !== '' && line.indent < indent)) break;
    if (line.text !== '') end = at + 1;
  }
  return end;
}

/** Removes the indentation that all lines share. */
export function dedent(lines: readonly MarkupLine[]): readonly MarkupLine[] {
  let shared = Number.POSITIVE_INFINITY;
  for (const { text, indent } of lines) if (text !== '') shared = Math.min(shared, indent);
  if (shared === 0 || shared === Number.POSITIVE_INFINITY) return lines;
  return lines.map((line) =>
    line.text === '' ? line : { ...line, indent: line.indent - shared, raw: line.raw.slice(shared) },
  );
}

export function rawText(lines: readonly MarkupLine[]): string {
  return lines.map(({ raw }) => raw).join('\n');
}
