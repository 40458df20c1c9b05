import { type CodeForm, codeFrame, labelValue } from '../../passage.ts';
import type { Block } from '../loader.ts';
import {
  findElement,
  getAttribute,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
} from './parse-html.ts';
import { parentElement, sampleText, wordCount } from './read-element.ts';
import { isLayoutTable, readTable } from './read-table.ts';

/** Receives the output of the walk: the blocks of a document, or the lines of a list item or table cell. */
interface BlockSink {
  heading(level: number, text: string): void;
  add(kind: Block['kind'], text: string, form?: Pick<Block, 'code' | 'table'>): void;
  innerLevel(): number;
  close(level: number): void;
}

const CONTAINERS = new Set(
  `address article aside blockquote body caption center dd dir div dt fieldset figcaption figure footer form header
  hgroup hr html legend li main nav p section tbody td tfoot th thead tr`.split(/\s+/),
);
const HEADING = /^h[1-6]$/;

/** Walks a pruned tree in reading order and passes headings, paragraphs, lists, tables and code to the sink. */
export function collectBlocks(root: HtmlParent, sink: BlockSink): void {
  const walk = new BlockWalker(sink);
  walk.children(root);
  walk.flush();
}

class BlockWalker {
  readonly #sink: BlockSink;
  readonly #inline = new InlineText();

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  children(parent: HtmlParent): void {
    for (const node of parent.childNodes) this.#visit(node);
  }

  flush(): void {
    this.#sink.add('paragraph', this.#inline.take());
  }

  #visit(node: HtmlNode): void {
    if ('value' in node) this.#inline.append(node.value);
    else if (isElement(node) && !this.#inlineElement(node)) this.#block(node);
  }

  /** Returns true if the element was handled as running text. */
  #inlineElement(element: HtmlElement): boolean {
    switch (element.tagName) {
      case 'br':
        this.#inline.breakLine();
        return true;
      case 'img':
        this.#picture(element);
        return true;
      case 'a':
        this.#link(element);
        return true;
      case 'sup':
        if (/\d/.test(this.#inline.lastCharacter())) this.#inline.append('^');
        this.children(element);
        return true;
      case 'q':
        this.#inline.append('“');
        this.children(element);
        this.#inline.append('”');
        return true;
      default:
        return false;
    }
  }

  /** Omits link targets except mail addresses and telephone numbers, which readers need. */
  #link(link: HtmlElement): void {
    this.children(link);
    const address = /^(?:mailto|tel):([^?]+)/i.exec(getAttribute(link, 'href')?.trim() ?? '')?.[1];
    if (address === undefined) return;
    const readable = decodeAddress(address);
    if (!this.#inline.includes(readable)) this.#inline.append(` (${readable})`);
  }

  /** The text of a picture is a line of its own, in a cell or a figure also if it is short. */
  #picture(picture: HtmlElement): void {
    const text = pictureText(picture);
    if (text === '') return;
    this.#inline.breakLine();
    this.#inline.append(text);
    this.#inline.breakLine();
  }

  #block(element: HtmlElement): void {
    const { tagName } = element;
    if (HEADING.test(tagName)) this.#heading(element, Number(tagName.slice(1)));
    else if (tagName === 'pre') this.#code(element);
    else if (tagName === 'ul' || tagName === 'ol') this.#list(element);
    else if (tagName === 'dl') this.#addList(renderDefinitions(element, renderItem));
    else if (tagName === 'table') this.#table(element);
    else if (tagName === 'details') this.#details(element);
    else if (CONTAINERS.has(tagName)) this.#container(element);
    else this.children(element);
  }

  #heading(element: HtmlElement, level: number): void {
    this.flush();
    this.#sink.heading(level, renderLines(element).join(' '));
  }

  #code(element: HtmlElement): void {
    this.flush();
    this.#sink.add('code', sourceText(element), { code: codeForm(element) });
  }

  #addList(lines: readonly string[]): void {
    this.flush();
    this.#sink.add('list', lines.join('\n'));
  }

  #container(element: HtmlElement): void {
    this.flush();
    this.children(element);
    this.flush();
  }

  /** Lists with headings or tables lay out cards or articles: their items are sections. */
  #list(list: HtmlElement): void {
    const hasStructure =
      findElement(list, ({ tagName }) => HEADING.test(tagName) || tagName === 'table') !== null;
    if (hasStructure) this.#container(list);
    else this.#addList(renderList(list, renderItem));
  }

  #table(table: HtmlElement): void {
    if (isLayoutTable(table)) {
      this.#container(table);
      return;
    }
    const caption = table.childNodes.filter(isElement).find(({ tagName }) => tagName === 'caption');
    this.flush();
    if (caption !== undefined) this.#sink.add('paragraph', renderLines(caption).join('\n'));
    const { text, form } = readTable(table, renderLines);
    this.#sink.add('table', text, form);
  }

  /** Content of `details` becomes a section with the summary as its heading. */
  #details(details: HtmlElement): void {
    this.flush();
    const level = this.#sink.innerLevel();
    const summary = findElement(details, ({ tagName }) => tagName === 'summary');
    if (summary !== null) this.#sink.heading(level, renderLines(summary).join(' '));
    for (const node of details.childNodes) if (node !== summary) this.#visit(node);
    this.flush();
    this.#sink.close(level);
  }
}

const MIN_PICTURE_WORDS = 3;
const FILE_NAME = /^[\w%()+. -]{0,200}\.(?:avif|bmp|gif|heic|jpe?g|png|svg|webp)$/i;

/** Returns the text of a picture of the content. Icons, logos and decoration have none or less than three words. */
function pictureText(picture: HtmlElement): string {
  const text = (getAttribute(picture, 'alt') ?? '').slice(0, 1_000).replace(/\s+/g, ' ').trim();
  const role = getAttribute(picture, 'role');
  if (text === '' || role === 'presentation' || role === 'none' || FILE_NAME.test(text)) return '';
  const figure = figureAround(picture);
  if (figure !== null) return sampleText(figure).includes(text) ? '' : text;
  return wordCount(text) >= MIN_PICTURE_WORDS ? text : '';
}

/** Returns the figure or the cell that a picture stands in. */
function figureAround(picture: HtmlElement): HtmlElement | null {
  let parent = parentElement(picture);
  for (let level = 0; level < 4 && parent !== null; level += 1) {
    if (['figure', 'td', 'th'].includes(parent.tagName)) return parent;
    parent = parentElement(parent);
  }
  return null;
}

/** Returns the text lines under an element. It serves table cells and headings. */
export function renderLines(parent: HtmlParent): string[] {
  return linesUnder(parent, textLines);
}

/** Returns the text lines of a list item, with code in fences. */
function renderItem(parent: HtmlParent): string[] {
  return linesUnder(parent, (text, form) => {
    if (form === undefined) return textLines(text);
    const code = text.replace(/^\s*\n/, '').trimEnd();
    const { open, close } = codeFrame(code, form);
    return `${open}${code}${close}`.split('\n');
  });
}

function textLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function linesUnder(parent: HtmlParent, linesOf: (text: string, code?: CodeForm) => string[]): string[] {
  const lines: string[][] = [];
  collectBlocks(parent, {
    heading: (_level, text) => lines.push(linesOf(text)),
    add: (_kind, text, form) => lines.push(linesOf(text, form?.code)),
    innerLevel: () => 1,
    close: () => undefined,
  });
  return lines.flat();
}

const LANGUAGE = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s?)([^\s;]+)(?:;title=(\S+))?/;

/** Reads the language of a code block from the classes that Markdown renderers and highlighters set. */
function codeForm(element: HtmlElement): CodeForm {
  const classes = [element, ...element.childNodes.filter(isElement)].map(
    (one) => getAttribute(one, 'class') ?? '',
  );
  const parent = element.parentNode;
  if (parent !== null && 'tagName' in parent) classes.push(getAttribute(parent, 'class') ?? '');
  const [, language = '', title = ''] = classes.map((one) => LANGUAGE.exec(one)).find((found) => found) ?? [];
  return {
    language: language.replace(/[`"]/g, ''),
    title: decodeAddress(title)
      .replace(/[`"\s]+/g, ' ')
      .trim(),
  };
}

function sourceText(node: HtmlNode): string {
  if ('value' in node) return node.value;
  if (node.nodeName === 'br') return '\n';
  return 'childNodes' in node ? node.childNodes.map(sourceText).join('') : '';
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch (error) {
    if (error instanceof URIError) return address;
    throw error;
  }
}

/** Collects running text. White space collapses as in a browser; only `br` starts a new line. */
class InlineText {
  #lines: string[] = [''];

  append(text: string): void {
    this.#lines.push((this.#lines.pop() ?? '') + text);
  }

  breakLine(): void {
    this.#lines.push('');
  }

  /** Returns the last character of the collected text, or an empty string. */
  lastCharacter(): string {
    return this.#lines.at(-1)?.at(-1) ?? '';
  }

  includes(text: string): boolean {
    return this.#lines.some((line) => line.includes(text));
  }

  /** Returns the collected text and clears the buffer. */
  take(): string {
    const lines = this.#lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '');
    this.#lines = [''];
    return lines.join('\n');
  }
}

const INDENT = '  ';

/** Renders a list as lines (`- item` or `1. item`) with further lines of an item indented. */
function renderList(list: HtmlElement, linesOf: (parent: HtmlParent) => string[]): string[] {
  const ordered = list.tagName === 'ol';
  let number = Number.parseInt(getAttribute(list, 'start') ?? '1', 10) || 1;
  const lines: string[] = [];
  for (const item of list.childNodes) {
    if (!isElement(item)) continue;
    if (item.tagName !== 'li') {
      for (const line of linesOf({ ...list, childNodes: [item] })) lines.push(INDENT + line);
      continue;
    }
    const marker = ordered ? `${number}. ` : '- ';
    number += 1;
    for (const line of itemLines(marker, linesOf(item))) lines.push(line);
  }
  return lines;
}

/** Code at the start of an item gets lines of its own, so that its fence is one. */
function itemLines(marker: string, content: readonly string[]): string[] {
  const lines = content[0]?.startsWith('```') ? ['', ...content] : content;
  const indent = ' '.repeat(marker.length);
  return lines.map((line, index) => {
    if (index === 0) return (marker + line).trimEnd();
    return line === '' ? '' : indent + line;
  });
}

/** Renders a definition list as lines `- term: definition` with further lines of a definition indented. */
function renderDefinitions(list: HtmlElement, linesOf: (parent: HtmlParent) => string[]): string[] {
  const lines: string[] = [];
  let terms: string[] = [];
  for (const element of termsAndDefinitions(list)) {
    const text = linesOf(element);
    if (element.tagName === 'dt') terms.push(text.join(' '));
    else {
      const [first = '', ...rest] = text;
      lines.push(`- ${labelValue(terms.join(' / '), first)}`, ...rest.map((line) => `  ${line}`));
      terms = [];
    }
  }
  return terms.length === 0 ? lines : [...lines, `- ${terms.join(' / ')}`];
}

/** HTML allows groups of terms and definitions to be wrapped in a `div`. */
function termsAndDefinitions(list: HtmlElement): HtmlElement[] {
  return list.childNodes.filter(isElement).flatMap((element) => {
    if (element.tagName === 'dt' || element.tagName === 'dd') return [element];
    return element.tagName === 'div' ? termsAndDefinitions(element) : [];
  });
}
