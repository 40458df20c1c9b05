/**
 * AsciiDoc as documentation uses it: headings, paragraphs, lists, code and tables. `asciidoctor` for JavaScript is Ruby
 * compiled with Opal, of 1.5 MB, and runs what a document includes.
 */
import { BlockCollector, cleanText, renderTable } from '../block-collector.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle } from '../metadata.ts';

/** Reads AsciiDoc. Throws a DocumentError. */
export function loadAsciidoc(text: string, limits: LoadingLimits): LoadedDocument {
  const collector = new BlockCollector(limits);
  new AsciidocReader(
    collector,
    cleanText(text)
      .split('\n')
      .map((line) => line.trimEnd()),
  ).read();
  return detectTitle(collector, { title: null, url: null });
}

const HEADING = /^(={1,6}|#{1,6})\s+(\S.*)$/;
const ITEM = /^(\*{1,5}|\.{1,5}|-|\d{1,4}\.)\s+(\S.*)$/;
const TERM = /^(\S.{0,200}?)(?::{2,4}|;;)(?:\s+(.*))?$/;
const ATTRIBUTE = /^:!?([\w-]+)!?:(?:\s(.*))?$/;
const BLOCK_ATTRIBUTES = /^\[([^[\]\n]{0,500})\]$/;
const VERBATIM = /^(?:-{4,}|\.{4,}|\+{4,}|`{3,}\w*)$/;
/** Frames around text: their lines are left out and what is inside is read. */
const FRAME = /^(?:={4,}|\*{4,}|_{4,}|--)$/;
const MACRO = /^(?:include|image|toc|video|audio|ifdef|ifndef|ifeval|endif)::/;
const COMMENT = '////';
const MAX_REFERENCES = 10_000;

class AsciidocReader {
  readonly #collector: BlockCollector;
  readonly #lines: readonly string[];
  readonly #attributes = new Map<string, string>();
  #at = 0;
  #language = '';
  #references = 0;

  constructor(collector: BlockCollector, lines: readonly string[]) {
    this.#collector = collector;
    this.#lines = lines;
  }

  read(): void {
    while (this.#at < this.#lines.length) this.#block(this.#lines[this.#at] ?? '');
  }

  #block(line: string): void {
    const heading = HEADING.exec(line);
    const attribute = ATTRIBUTE.exec(line);
    if (line === COMMENT) this.#skipTo(COMMENT);
    else if (line === '' || line.startsWith('//') || MACRO.test(line) || FRAME.test(line) || line === '+')
      this.#at += 1;
    else if (attribute !== null) this.#define(attribute[1] ?? '', attribute[2] ?? '');
    else if (/^\[\[.{1,200}\]\]$/.test(line) || BLOCK_ATTRIBUTES.test(line)) this.#blockAttributes(line);
    else if (heading !== null) this.#heading(heading[1]?.length ?? 1, heading[2] ?? '');
    else if (VERBATIM.test(line)) this.#code(line);
    else if (/^[|,:!]===$/.test(line)) this.#table(line);
    else if (/^\.[^\s.]/.test(line)) this.#text('paragraph', line.slice(1));
    else if (ITEM.test(line)) this.#list();
    else this.#paragraph();
  }

  #heading(level: number, text: string): void {
    this.#at += 1;
    this.#collector.heading(level, this.#plain(text));
    // The author and the revision stand below the title.
    if (level === 1 && this.#at < 3) while (/^[^:=[|]/.test(this.#lines[this.#at] ?? '')) this.#at += 1;
  }

  #text(kind: 'paragraph', text: string): void {
    this.#at += 1;
    this.#collector.add(kind, this.#plain(text));
  }

  #define(name: string, value: string): void {
    this.#at += 1;
    this.#attributes.set(name, this.#plain(value.trim()));
  }

  #blockAttributes(line: string): void {
    this.#at += 1;
    const [, kind, language] = /^\[(source|,)?,?\s{0,5}([\w+#-]{0,30})/.exec(line) ?? [];
    this.#language = kind === 'source' ? (language ?? '') : '';
  }

  #skipTo(end: string): readonly string[] {
    const start = this.#at + 1;
    const found = this.#lines.indexOf(end, start);
    const stop = found === -1 ? this.#lines.length : found;
    this.#at = stop + 1;
    return this.#lines.slice(start, stop);
  }

  #code(fence: string): void {
    const own = /^`{3,}(\w*)$/.exec(fence)?.[1] ?? '';
    const language = own === '' ? this.#language : own;
    const lines = this.#skipTo(/^`+/.exec(fence)?.[0] ?? fence);
    const code = lines.map(withoutCallout).join('\n');
    this.#collector.add('code', code, { code: { language, title: '' } });
    this.#language = '';
  }

  #table(fence: string): void {
    const options = this.#optionsAbove();
    const lines = this.#skipTo(fence);
    const first = lines.findIndex((line) => line !== '');
    const cells = lines.map((line) => cellsOf(line, fence));
    const width = columnsOf(options) ?? cells[first]?.length ?? 1;
    const flat: string[] = [];
    for (const [index, line] of lines.entries()) {
      if (
        line.startsWith(fence.charAt(0)) ||
        /^\d{0,3}[.<^>+]{0,3}[aehlmsd]?\|/.test(line) ||
        fence !== '|==='
      )
        flat.push(...(cells[index] ?? []));
      else if (line !== '' && flat.length > 0) flat.push(`${flat.pop() ?? ''} ${line}`.trim());
    }
    const rows: string[][] = [];
    for (let at = 0; at < flat.length; at += width)
      rows.push(flat.slice(at, at + width).map((cell) => this.#plain(cell)));
    const isHeader = /header/.test(options) || (rows.length > 1 && lines[first + 1] === '');
    const { text, form } = renderTable(isHeader ? (rows[0] ?? []) : [], isHeader ? rows.slice(1) : rows);
    this.#collector.add('table', text, form);
  }

  #optionsAbove(): string {
    const above = this.#lines.slice(Math.max(0, this.#at - 3), this.#at);
    return above.filter((line) => BLOCK_ATTRIBUTES.test(line)).join(' ');
  }

  #list(): void {
    const items: string[] = [];
    const markers: string[] = [];
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      const item = ITEM.exec(line.trimStart());
      if (item !== null) items.push(itemText(item[1] ?? '', item[2] ?? '', markers));
      else if (line === '' && this.#isItem(this.#at + 1)) continue;
      else if (isStart(line)) break;
      else items.push(`${items.pop() ?? ''} ${line.trim()}`);
    }
    this.#collector.add('list', items.map((item) => this.#plain(item)).join('\n'));
  }

  #isItem(at: number): boolean {
    return ITEM.test(this.#lines[at]?.trimStart() ?? '');
  }

  #paragraph(): void {
    const start = this.#at;
    do this.#at += 1;
    while (
      this.#at < this.#lines.length &&
      !isStart(this.#lines[this.#at] ?? '') &&
      !ITEM.test(this.#lines[this.#at] ?? '')
    );
    const lines = this.#lines.slice(start, this.#at);
    if (lines.every((line) => /^\s/.test(line))) {
      this.#collector.add('code', lines.join('\n'));
      return;
    }
    const [, term, definition = ''] = TERM.exec(lines[0] ?? '') ?? [];
    const text =
      term === undefined ? lines.join(' ') : `${term}: ${[definition, ...lines.slice(1)].join(' ').trim()}`;
    this.#collector.add('paragraph', this.#plain(text));
  }

  /** Replaces attributes and removes marks. */
  #plain(text: string): string {
    const replaced = text.replace(/\{([\w-]{1,60})\}/g, (whole, name: string) => {
      this.#references += 1;
      return this.#references > MAX_REFERENCES ? whole : (this.#attributes.get(name) ?? whole);
    });
    return replaceMacros(replaced)
      .replace(
        /<<[^<>,\n]{1,200}(?:,([^<>\n]{1,300}))?>>/g,
        (_, shown: string | undefined) => shown?.trim() ?? '',
      )
      .replace(/(?<![\w*])\*{1,2}([^*\s](?:[^*\n]{0,500}))\*{1,2}(?![\w*])/g, '$1')
      .replace(/(?<![\w_])_{1,2}([^_\s](?:[^_\n]{0,500}))_{1,2}(?![\w_])/g, '$1')
      .replace(/`{1,2}\+?([^`\n]{1,500}?)\+?`{1,2}/g, '$1')
      .replace(/\s\+$/g, '');
  }
}

/** Numbers in angle brackets refer to remarks below the code. */
function withoutCallout(line: string): string {
  const code = line.replace(/<[\d.]{1,3}>$/, '');
  return code === line
    ? line
    : code
        .trimEnd()
        .replace(/(?:\/\/|#|--)$/, '')
        .trimEnd();
}

const LINK = /^(?:link:|https?:\/\/|mailto:|xref:)/;
const SHOWN_MACRO = /(?:image|icon|kbd|btn|menu|footnote|pass|indexterm2?):{1,2}[\w./-]{0,100}$/;
const MAX_TARGET_CHARACTERS = 1000;

/** Replaces links and other macros, `name:target[text]`, by their text, and leaves out anchors. */
function replaceMacros(text: string): string {
  let written = '';
  let position = 0;
  for (const { index, 0: whole, 1: inner = '' } of text.matchAll(/\[([^[\]\n]*)\]/g)) {
    const before = text.slice(Math.max(position, index - MAX_TARGET_CHARACTERS), index);
    const target = before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('(')) + 1);
    const shown = inner.split(/[,^]/, 1)[0] ?? '';
    const macro = SHOWN_MACRO.exec(target)?.[0];
    if (LINK.test(target))
      written += text.slice(position, index - target.length) + (shown === '' ? target : shown);
    else if (macro !== undefined) written += text.slice(position, index - macro.length) + inner;
    else if (inner.startsWith('#')) written += text.slice(position, index);
    else written += text.slice(position, index) + whole;
    position = index + whole.length;
  }
  return (written + text.slice(position)).replace(/\[\[[^[\]\n]*\]\]/g, '');
}

/** `markers` has those of the levels so far, the outermost first. */
function itemText(marker: string, text: string, markers: string[]): string {
  const isNumbered = /^[\d.]/.test(marker);
  const kind = /\d/.test(marker) ? '.' : marker;
  if (!markers.includes(kind)) markers.push(kind);
  return `${'  '.repeat(markers.indexOf(kind))}${isNumbered ? '1.' : '-'} ${text}`;
}

function isStart(line: string): boolean {
  return (
    line === '' ||
    line === '+' ||
    HEADING.test(line) ||
    VERBATIM.test(line) ||
    FRAME.test(line) ||
    BLOCK_ATTRIBUTES.test(line) ||
    /^[|,:!]===$/.test(line) ||
    line.startsWith('//')
  );
}

/** Returns the cells of a line: `|one 2+|two`, or values separated by commas or colons. */
function cellsOf(line: string, fence: string): readonly string[] {
  if (fence === ',===') return line.split(',').map((cell) => cell.trim());
  if (fence === ':===') return line.split(':').map((cell) => cell.trim());
  return line
    .split(/(?<!\\)\|/)
    .slice(1)
    .map((cell) =>
      cell
        .replace(/\s\d{0,3}[.<^>+]{0,3}[aehlmsd]?$/, '')
        .replaceAll('\\|', '|')
        .trim(),
    );
}

/** Returns the number of columns that the attributes of a table state: `cols="1,2"`, `cols=3*`. */
function columnsOf(options: string): number | null {
  const value = /cols="?([^"\]]{1,200})"?/.exec(options)?.[1];
  if (value === undefined) return null;
  const [columns = ''] = value.split(/,\s?(?:options|%|separator|format|frame|grid|width)/, 1);
  const count = columns
    .split(/[,;]/)
    .reduce((sum, part) => sum + Math.min(200, Number(/^\s*(\d{1,3})\*/.exec(part)?.[1] ?? 1)), 0);
  return count > 0 ? count : null;
}
