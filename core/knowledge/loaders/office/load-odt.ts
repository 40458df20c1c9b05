import { DocumentError } from '../../documents/document-error.ts';
import { BlockCollector } from '../block-collector.ts';
import { parseHtml, pruneTree } from '../html/parse-html.ts';
import { collectBlocks } from '../html/walk-blocks.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle } from '../metadata.ts';
import { htmlTable, htmlText, type TableCell } from './html-text.ts';
import { PackageParts } from './package-parts.ts';
import { elementsOf, findAll, findChild, textOf, type XmlElement } from './read-xml.ts';

const MAX_HEADING_LEVEL = 6;
/** Repetitions of an empty cell or row fill a sheet to its edge; filled ones are few. */
const MAX_REPETITIONS = 50;
const MAX_SPACES = 100;
const MAX_STYLE_PARENTS = 20;
/** Contents of other parts, what was deleted, and what the text repeats. */
const OMITTED = new Set(
  `tracked-changes table-of-content illustration-index table-index object-index user-index alphabetical-index
  bibliography annotation annotation-end forms sequence-decls variable-decls user-field-decls title desc note-citation
  event-listeners object image hidden-paragraph hidden-text`.split(/\s+/),
);

/** Reads an OpenDocument text. Rejects with a DocumentError. */
export async function loadOdt(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const parts = await PackageParts.unpack(bytes, 'This OpenDocument text', limits, (name) =>
    /\.xml$/.test(name),
  );
  const encrypted = findAll(parts.parse('META-INF/manifest.xml'), 'encryption-data').length > 0;
  if (encrypted) throw new DocumentError('encrypted_file', parts.what);
  const content = parts.require('content.xml');
  const writer = new TextWriter([content, parts.parse('styles.xml')]);
  const page = parseHtml(writer.blocks(findChild(content, 'body', 'text')) + writer.notes());
  pruneTree(page, { keepLandmarks: true });
  const collector = new BlockCollector(limits);
  collectBlocks(page, collector);
  const document = detectTitle(collector, { title: writer.title, url: null });
  return document.title === null ? { ...document, title: parts.propertyTitle('meta.xml') } : document;
}

interface ListStyle {
  /** Levels from 1 that have numbers. */
  readonly numbered: ReadonlySet<string>;
}

/** Writes the content of a text as HTML. */
export class TextWriter {
  readonly #parents = new Map<string, string>();
  readonly #outlineLevels = new Map<string, number>();
  readonly #listStyles = new Map<string, ListStyle>();
  readonly #hiddenStyles = new Set<string>();
  readonly #notes: string[] = [];
  /** The text of the first paragraph with the style Title; null if there is none. */
  title: string | null = null;

  constructor(roots: readonly (XmlElement | null)[]) {
    const groups = roots.flatMap((root) => [findChild(root, 'automatic-styles'), findChild(root, 'styles')]);
    for (const element of groups.flatMap((group) => elementsOf(group))) {
      const name = element.attributes['style:name'] ?? '';
      if (element.name === 'style') {
        this.#parents.set(name, element.attributes['style:parent-style-name'] ?? '');
        const level = Number(element.attributes['style:default-outline-level'] ?? 0);
        if (level >= 1) this.#outlineLevels.set(name, Math.trunc(level));
        const display = findChild(element, 'text-properties')?.attributes['text:display'];
        if (display === 'none') this.#hiddenStyles.add(name);
      } else if (element.name === 'list-style') {
        const numbers = elementsOf(element, 'list-level-style-number').filter(
          ({ attributes }) => (attributes['style:num-format'] ?? '') !== '',
        );
        this.#listStyles.set(name, {
          numbered: new Set(numbers.map(({ attributes }) => attributes['text:level'] ?? '')),
        });
      }
    }
  }

  blocks(parent: XmlElement | null): string {
    return elementsOf(parent)
      .map((element) => this.#block(element))
      .join('');
  }

  /** Returns the footnotes, which stand where a page ends. */
  notes(): string {
    return this.#notes.map((note) => `<p>${note}</p>`).join('');
  }

  #block(element: XmlElement): string {
    const { name, attributes } = element;
    if (OMITTED.has(name) || attributes['text:display'] === 'none') return '';
    if (name === 'h') return this.#heading(element);
    if (name === 'p') return this.#paragraph(element);
    if (name === 'list') return this.#list(element, 1, null);
    if (name === 'table') return this.#table(element);
    return this.blocks(element);
  }

  #heading(element: XmlElement): string {
    return this.#headingAt(element, Number(element.attributes['text:outline-level'] ?? 1) || 1);
  }

  #headingAt(element: XmlElement, wanted: number): string {
    const level = Math.min(MAX_HEADING_LEVEL, Math.max(1, wanted));
    return `<h${level}>${this.#inline(element)}</h${level}>`;
  }

  /** Headings that were converted from Word are paragraphs with the style of one. Returns 0 for any other paragraph. */
  #outlineLevel(element: XmlElement): number {
    for (const style of this.#stylesOf(element)) {
      const level = this.#outlineLevels.get(style) ?? Number(/^Heading_20_(\d)$/.exec(style)?.[1] ?? 0);
      if (level > 0) return level;
    }
    return 0;
  }

  #paragraph(element: XmlElement): string {
    if (this.title === null && this.#hasStyle(element, 'Title')) {
      this.title = textOf(element).trim() || null;
      if (this.title !== null) return '';
    }
    const level = this.#outlineLevel(element);
    if (level > 0 && findAll(element, 'text-box').length === 0) return this.#headingAt(element, level);
    // Frames are anchored to paragraphs but are blocks of their own.
    const frames = findAll(element, 'text-box')
      .map((box) => this.blocks(box))
      .join('');
    const isCode = this.#hasStyle(element, 'Preformatted_20_Text');
    const text = this.#inline(element);
    return `${isCode ? `<pre>${text.replaceAll('<br>', '\n')}</pre>` : `<p>${text}</p>`}${frames}`;
  }

  #hasStyle(element: XmlElement, wanted: string): boolean {
    return this.#stylesOf(element).includes(wanted);
  }

  /** Its own style, and those that it is made from. */
  #stylesOf({ attributes }: XmlElement): readonly string[] {
    const styles: string[] = [];
    let style = attributes['text:style-name'] ?? '';
    while (styles.length < MAX_STYLE_PARENTS && style !== '') {
      styles.push(style);
      style = this.#parents.get(style) ?? '';
    }
    return styles;
  }

  #list(element: XmlElement, level: number, inherited: string | null): string {
    const style = element.attributes['text:style-name'] ?? inherited;
    const numbered = this.#listStyles.get(style ?? '')?.numbered.has(String(level)) === true;
    const items = elementsOf(element)
      .filter(({ name }) => name === 'list-item' || name === 'list-header')
      .map((item) => {
        const content = elementsOf(item).map((child) =>
          child.name === 'list' ? this.#list(child, level + 1, style) : this.#block(child),
        );
        return content.join('');
      });
    // Writers number headings by lists with a single item.
    if (items.every((item) => /^<h\d>/.test(item))) return items.join('');
    const tag = numbered ? 'ol' : 'ul';
    return `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;
  }

  #table(element: XmlElement): string {
    const head = elementsOf(element, 'table-header-rows').flatMap((group) => this.#rows(group));
    const body = this.#rows(element);
    return htmlTable([...head, ...body], head.length);
  }

  #rows(parent: XmlElement): readonly (readonly TableCell[])[] {
    return elementsOf(parent).flatMap((element) => {
      if (element.name === 'table-rows' || element.name === 'table-row-group') return this.#rows(element);
      const { attributes } = element;
      if (element.name !== 'table-row' || /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? ''))
        return [];
      const cells = elementsOf(element, 'table-cell').flatMap((cell) => {
        const one: TableCell = {
          html: this.blocks(cell),
          columns: Number(cell.attributes['table:number-columns-spanned'] ?? 1),
          rows: Number(cell.attributes['table:number-rows-spanned'] ?? 1),
        };
        return Array<TableCell>(repetitions(cell.attributes['table:number-columns-repeated'])).fill(one);
      });
      const isFilled = cells.some(({ html }) => html !== '');
      return isFilled
        ? Array<TableCell[]>(repetitions(attributes['table:number-rows-repeated'])).fill(cells)
        : [];
    });
  }

  #inline(parent: XmlElement): string {
    return parent.children
      .map((node) =>
        typeof node === 'string' ? htmlText(node.replace(/\s+/g, ' ')) : this.#inlineElement(node),
      )
      .join('');
  }

  #inlineElement(element: XmlElement): string {
    const { name, attributes } = element;
    if (OMITTED.has(name) || this.#hiddenStyles.has(attributes['text:style-name'] ?? '')) return '';
    switch (name) {
      case 's':
        return ' '.repeat(Math.min(MAX_SPACES, Math.max(1, Number(attributes['text:c'] ?? 1) || 1)));
      case 'tab':
        return '\t';
      case 'line-break':
        return '<br>';
      case 'text-box':
        return '';
      case 'note':
        this.#notes.push(
          elementsOf(findChild(element, 'note-body'))
            .map((part) => this.#inline(part))
            .join(' '),
        );
        return '';
      case 'a':
        return `<a href="${htmlText(attributes['xlink:href'] ?? '')}">${this.#inline(element)}</a>`;
      default:
        return this.#inline(element);
    }
  }
}

function repetitions(value: string | undefined): number {
  return Math.min(MAX_REPETITIONS, Math.max(1, Math.trunc(Number(value ?? 1)) || 1));
}
