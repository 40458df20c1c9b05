/**
 * reStructuredText as documentation uses it: headings, paragraphs, lists, code, tables and the directives that hold text.
 * There is no kept parser for it on npm; docutils is Python.
 */
import { BlockCollector, cleanText, renderTable } from '../block-collector.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle } from '../metadata.ts';
import { dedent, indentedEnd, type MarkupLine, rawText, toMarkupLines } from './markup-lines.ts';
import { plainRst } from './rst-inline.ts';
import { readGridTable, readListTable, readSimpleTable } from './rst-tables.ts';

/** Reads reStructuredText. Throws a DocumentError. */
export function loadRst(text: string, limits: LoadingLimits): LoadedDocument {
  const collector = new BlockCollector(limits);
  new RstReader(collector).read(toMarkupLines(cleanText(text)), 0);
  return detectTitle(collector, { title: null, url: null });
}

const ADORNMENT = /^([!-/:-@[-`{-~])\1{2,}$/;
const ITEM = /^(?:[-*+•‣]|(?:\d{1,4}|#|[A-Za-z])[.)]|\((?:\d{1,4}|#|[A-Za-z])\))\s+(?=\S)/;
const DIRECTIVE = /^\.\.\s+(?:\|[^|\n]+\|\s+)?([\w+.-]+(?::[\w+.-]+){0,2})::(.*)$/;
const OPTION = /^:([\w-]+):(?:\s(.*))?$/;
const GRID = /^\+(?:[-=]+\+)+$/;
const SIMPLE = /^=+(?:\s+=+)+$/;
const MAX_NESTING = 50;

const CODE = new Set(
  'code code-block sourcecode parsed-literal prompt doctest testcode math graphviz productionlist'.split(' '),
);
/** Lists of pages, pictures and settings: no text of the page itself. */
const DROPPED = new Set(
  `toctree contents include literalinclude index raw meta image highlight currentmodule module default-role role
  sectionauthor codeauthor tabularcolumns unicode replace date bibliography autosummary automodule`.split(
    /\s+/,
  ),
);

class RstReader {
  readonly #collector: BlockCollector;
  /** The styles of headings, outermost first, as the file introduces them. */
  readonly #styles: string[] = [];

  constructor(collector: BlockCollector) {
    this.#collector = collector;
  }

  read(lines: readonly MarkupLine[], depth: number): void {
    if (depth > MAX_NESTING) {
      this.#collector.add('paragraph', rawText(lines));
      return;
    }
    for (let at = 0; at < lines.length; ) {
      const line = lines[at];
      if (line === undefined) break;
      at = line.text === '' ? at + 1 : Math.max(at + 1, this.#block(lines, at, depth));
    }
  }

  /** Reads what begins at a line, and returns the index after it. */
  #block(lines: readonly MarkupLine[], at: number, depth: number): number {
    const line = lines[at];
    if (line === undefined) return at + 1;
    if (line.text.startsWith('..') && /^\.\.(?:\s|$)/.test(line.text))
      return this.#explicit(lines, at, depth);
    const heading = depth === 0 ? this.#heading(lines, at) : null;
    if (heading !== null) return heading;
    if (GRID.test(line.text))
      return this.#table(lines, at, (end) => readGridTable(lines.slice(at, end)), tableEnd);
    if (SIMPLE.test(line.text))
      return this.#table(lines, at, (end) => readSimpleTable(lines.slice(at, end)), simpleTableEnd);
    if (ADORNMENT.test(line.text)) return at + 1;
    if (ITEM.test(line.text)) return this.#list(lines, at);
    if (line.text.startsWith('>>> ')) return this.#doctest(lines, at);
    return this.#paragraph(lines, at, depth);
  }

  #heading(lines: readonly MarkupLine[], at: number): number | null {
    const [one, two, three] = lines.slice(at, at + 3);
    const under = two === undefined ? null : (ADORNMENT.exec(two.text)?.[1] ?? null);
    if (one === undefined) return null;
    if (under !== null && one.indent === 0 && !ADORNMENT.test(one.text) && isUnderline(one, two)) {
      this.#addHeading(under, one.text);
      return at + 2;
    }
    const over = ADORNMENT.exec(one.text)?.[1];
    if (over === undefined || two === undefined || two.text === '' || three?.text !== one.text) return null;
    this.#addHeading(over + over, two.text);
    return at + 3;
  }

  #addHeading(style: string, text: string): void {
    if (!this.#styles.includes(style)) this.#styles.push(style);
    this.#collector.heading(this.#styles.indexOf(style) + 1, plainRst(text));
  }

  /** Directives, comments, targets and footnotes. */
  #explicit(lines: readonly MarkupLine[], at: number, depth: number): number {
    const line = lines[at];
    if (line === undefined) return at + 1;
    const end = indentedEnd(lines, at + 1, line.indent + 1);
    const content = dedent(lines.slice(at + 1, end));
    const [, name, argument = ''] = DIRECTIVE.exec(line.text) ?? [];
    if (name !== undefined)
      this.#directive(name.slice(name.lastIndexOf(':') + 1), argument.trim(), content, depth);
    else {
      const note = /^\.\.\s+\[[^\]\n]+\](.+)$/.exec(line.text)?.[1]?.trim();
      if (note !== undefined)
        this.#collector.add('paragraph', plainRst([note, ...content.map(({ text }) => text)].join(' ')));
    }
    return end;
  }

  #directive(name: string, argument: string, body: readonly MarkupLine[], depth: number): void {
    if (DROPPED.has(name)) return;
    const first = body.findIndex(({ text }) => text !== '' && !OPTION.test(text));
    const content = dedent(first === -1 ? [] : body.slice(first));
    if (CODE.has(name)) {
      const code = name === 'math' && argument !== '' ? argument : rawText(content);
      const language = /^[\w+#.-]{1,30}$/.test(argument) ? argument : '';
      this.#collector.add('code', code, { code: { language, title: '' } });
      return;
    }
    this.#collector.add('paragraph', plainRst(argument === '' || name === 'figure' ? '' : argument));
    if (name === 'list-table' || name === 'csv-table') {
      const headers = Number(optionOf(body, 'header-rows') ?? 0) || 0;
      const table = readListTable(name, content, { headers, header: optionOf(body, 'header') });
      this.#addTable(table.labels, table.rows);
    } else this.read(content, depth + 1);
  }

  #table(
    lines: readonly MarkupLine[],
    at: number,
    read: (end: number) => {
      readonly labels: readonly string[];
      readonly rows: readonly (readonly string[])[];
    },
    endOf: (lines: readonly MarkupLine[], at: number) => number,
  ): number {
    const end = endOf(lines, at);
    const { labels, rows } = read(end);
    this.#addTable(labels, rows);
    return end;
  }

  #addTable(labels: readonly string[], rows: readonly (readonly string[])[]): void {
    const { text, form } = renderTable(
      labels.map(plainRst),
      rows.map((row) => row.map(plainRst)),
    );
    this.#collector.add('table', text, form);
  }

  #list(lines: readonly MarkupLine[], at: number): number {
    const start = lines[at]?.indent ?? 0;
    const items: string[] = [];
    let end = at;
    while (end < lines.length) {
      const line = lines[end];
      if (line === undefined || (line.text !== '' && line.indent < start)) break;
      const marker = ITEM.exec(line.text)?.[0];
      if (marker !== undefined) {
        const sign = /\d/.test(marker) ? marker.trim() : '-';
        const level = '  '.repeat(Math.min(10, Math.ceil((line.indent - start) / 3)));
        items.push(`${level}${sign} ${line.text.slice(marker.length)}`);
      } else if (line.text !== '' && line.indent > start) items.push(`${items.pop() ?? ''} ${line.text}`);
      else if (line.text !== '') break;
      end += 1;
    }
    this.#collector.add('list', items.map(plainRst).join('\n'));
    return end;
  }

  #doctest(lines: readonly MarkupLine[], at: number): number {
    let end = at;
    while (end < lines.length && lines[end]?.text !== '') end += 1;
    this.#collector.add('code', rawText(dedent(lines.slice(at, end))));
    return end;
  }

  /** A paragraph that ends in `::` is followed by code, and a short one by an indented explanation. */
  #paragraph(lines: readonly MarkupLine[], at: number, depth: number): number {
    const { indent = 0 } = lines[at] ?? {};
    let end = at + 1;
    while (end < lines.length && lines[end]?.text !== '' && lines[end]?.indent === indent) end += 1;
    const text = lines
      .slice(at, end)
      .map((line) => line.text)
      .join(' ');
    const field = OPTION.exec(text);
    const leads = text.endsWith('::');
    const shown = text === '::' ? '' : leads ? text.slice(0, -1) : text;
    this.#collector.add(
      'paragraph',
      plainRst(field === null ? shown : `${field[1]}: ${field[2]?.trim() ?? ''}`),
    );
    const next = indentedEnd(lines, end, indent + 1);
    if (next === end) return end;
    const inner = dedent(lines.slice(end, next));
    if (leads) this.#collector.add('code', rawText(inner));
    else this.read(inner, depth + 1);
    return next;
  }
}

function isUnderline(title: MarkupLine, under: MarkupLine | undefined): boolean {
  return under !== undefined && under.indent === 0 && under.text.length >= Math.min(title.text.length, 4);
}

function optionOf(body: readonly MarkupLine[], name: string): string | null {
  for (const { text } of body) {
    const [, option, value = ''] = OPTION.exec(text) ?? [];
    if (option === name) return value.trim();
  }
  return null;
}

function tableEnd(lines: readonly MarkupLine[], at: number): number {
  let end = at;
  while (end < lines.length && /^[+|]/.test(lines[end]?.text ?? '')) end += 1;
  return end;
}

/** A simple table ends with its third border, or with the second if no blank line stands between. */
function simpleTableEnd(lines: readonly MarkupLine[], at: number): number {
  let end = at + 1;
  for (let borders = 1; end < lines.length; end += 1) {
    if (!SIMPLE.test(lines[end]?.text ?? '')) continue;
    borders += 1;
    if (borders === 3 || (lines[end + 1]?.text ?? '') === '') return end + 1;
  }
  return end;
}
