/**
 * Blocks of MDX (`<Note>`, `<Tab title="npm">`) and of MkDocs (`!!! warning "Title"`, `??? example`, `=== "npm"`). Their
 * content is Markdown that is indented below them; CommonMark would read it as HTML or as code.
 */

interface OpenBlock {
  readonly kind: 'component' | 'indented';
  /** Indentation of the line that opened it. */
  readonly outer: number;
  /** Indentation of its content; null before the first line. */
  inner: number | null;
}

const FENCE = /^(?<fence>`{3,}|~{3,})(?<info>(?:[^`~][^`]*)?)$/;
const INDENTED = /^(?:(?:!!!|\?\?\?\+?) ?[\w-]|===[+!]? ?")/;
const QUOTED = /"([^"]*)"/;
const COMPONENT_LINE = /^<\/?[A-Z]\w*[a-z]/;
/** Alternatively a code span, which stays. */
const COMPONENT_TAG = /`[^`\n]*`|<(?<closing>\/?)[A-Z][\w.]*(?<attributes>(?:\s[^<>]*)?)>/g;
const MODULE_LINE =
  /^(?:import\s[^;]*\sfrom\s+['"][^'"]+['"];?|import\s+['"][^'"]+['"];?|export\s+(?:const|default)\s.*)$/;
const MDX_COMMENT = /^\{\/\*.*\*\/\}$/;
const TITLE =
  /\b(?:title|label|summary|header|heading)=(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|\{"(?<braced>[^"]*)"\})/;
const CODE_TITLE = /\b(?:tab|title|filename|label)="([^"]*)"/;
const MAX_TAG_LINES = 20;

/** Replaces these blocks by their title and their content; the title of a tab with code becomes that of the code. */
export function readComponentBlocks(markdown: string): string {
  return markdown.includes('<') || /^[ \t]*(?:!!!|\?\?\?|===|`{3,}|~{3,})/m.test(markdown)
    ? new ComponentReader().read(markdown)
    : markdown;
}

class ComponentReader {
  readonly #lines: string[] = [];
  readonly #open: OpenBlock[] = [];
  #fence: string | null = null;
  /** A tab's title that waits for the first line of the tab. */
  #title: string | null = null;

  read(markdown: string): string {
    const lines = markdown.split(/\r?\n/);
    for (let at = 0; at < lines.length; ) {
      const { line, count } = this.#fence === null ? joinTag(lines, at) : { line: lines[at] ?? '', count: 1 };
      this.#line(line);
      at += count;
    }
    this.#flushTitle();
    return this.#lines.join('\n');
  }

  #line(raw: string): void {
    if (raw.trim() === '') {
      this.#lines.push('');
      return;
    }
    const line = this.#dedent(raw);
    const text = line.trimStart();
    const fence = FENCE.exec(text)?.groups;
    if (this.#fence !== null) this.#insideFence(line, text);
    else if (fence?.fence !== undefined) this.#openFence(line, fence.fence, fence.info ?? '');
    else this.#markdown(line, text);
  }

  #insideFence(line: string, text: string): void {
    if (
      this.#fence !== null &&
      text.startsWith(this.#fence) &&
      text.trim() === text.charAt(0).repeat(text.trim().length)
    )
      this.#fence = null;
    this.#lines.push(line);
  }

  #openFence(line: string, fence: string, info: string): void {
    const [language = '', ...others] = info.trim().split(/\s+/);
    const rest = others.join(' ');
    const words = /[={}]/.test(rest) ? '' : rest;
    const title = this.#title ?? CODE_TITLE.exec(info)?.[1] ?? words;
    this.#title = null;
    this.#fence = fence;
    const indent = line.slice(0, line.length - line.trimStart().length);
    // micromark 4 drops blank lines of code that directly follows the text of a list item.
    if (indent !== '' && this.#lines.at(-1) !== '') this.#lines.push('');
    const name = /[={}"]/.test(language) ? '' : language;
    this.#lines.push(`${indent}${fence}${name}${title === '' ? '' : `;title=${encodeURIComponent(title)}`}`);
  }

  #markdown(line: string, text: string): void {
    if (INDENTED.test(text)) {
      this.#begin(
        'indented',
        line.length - text.length,
        text.startsWith('==='),
        QUOTED.exec(text)?.[1] ?? '',
      );
    } else if (COMPONENT_LINE.test(text)) this.#components(line, text);
    else if (!(this.#isTop() && (MODULE_LINE.test(text) || MDX_COMMENT.test(text)))) {
      this.#flushTitle();
      this.#lines.push(line);
    }
  }

  #components(line: string, text: string): void {
    const outer = line.length - text.length;
    const rest = text.replace(
      COMPONENT_TAG,
      (tag, closing: string | undefined, attributes: string | undefined) => {
        if (closing === undefined) return tag;
        if (closing === '/') {
          if (this.#open.at(-1)?.kind === 'component') this.#open.pop();
          return '';
        }
        const { double, single, braced } = TITLE.exec(attributes ?? '')?.groups ?? {};
        const title = double ?? single ?? braced ?? '';
        if (/\/\s*$/.test(attributes ?? '')) return title === '' ? '' : `\n\n${title}\n\n`;
        this.#begin('component', outer, /^<Tab/.test(tag), title);
        return '';
      },
    );
    if (rest.trim() === '') this.#lines.push('');
    else {
      this.#flushTitle();
      this.#lines.push(rest.trim());
    }
  }

  #begin(kind: OpenBlock['kind'], outer: number, isTab: boolean, title: string): void {
    this.#flushTitle();
    if (title !== '') this.#title = title;
    if (title !== '' && !isTab) this.#flushTitle();
    else this.#lines.push('');
    this.#open.push({ kind, outer, inner: null });
  }

  #flushTitle(): void {
    if (this.#title !== null) this.#lines.push('', this.#title, '');
    this.#title = null;
  }

  /** Closes indented blocks that end before this line, and takes the indentation of the open ones off. */
  #dedent(raw: string): string {
    const line = raw.replace(/^[ \t]+/, (space) => space.replaceAll('\t', '    '));
    let indent = line.length - line.trimStart().length;
    let shift = this.#shift();
    for (
      let last = this.#open.at(-1);
      last?.kind === 'indented' && this.#fence === null;
      last = this.#open.at(-1)
    ) {
      if (indent - (shift - (last.inner ?? 0)) > last.outer) break;
      this.#open.pop();
      shift = this.#shift();
    }
    const last = this.#open.at(-1);
    if (last !== undefined && last.inner === null) {
      last.inner = Math.max(0, indent - shift);
      shift += last.inner;
    }
    indent = Math.min(indent, shift);
    return line.slice(indent);
  }

  #shift(): number {
    return this.#open.reduce((sum, { inner }) => sum + (inner ?? 0), 0);
  }

  #isTop(): boolean {
    return this.#open.length === 0;
  }
}

interface JoinedLines {
  readonly line: string;
  readonly count: number;
}

/** Joins the lines of a tag with one attribute a line. */
function joinTag(lines: readonly string[], at: number): JoinedLines {
  const first = lines[at] ?? '';
  const single = { line: first, count: 1 };
  if (!COMPONENT_LINE.test(first.trimStart()) || first.includes('>')) return single;
  for (let count = 2; count <= MAX_TAG_LINES && at + count <= lines.length; count += 1) {
    const next = lines[at + count - 1] ?? '';
    if (next.trim() === '' || next.includes('<')) return single;
    if (next.includes('>'))
      return {
        line: [first, ...lines.slice(at + 1, at + count).map((line) => line.trim())].join(' '),
        count,
      };
  }
  return single;
}
