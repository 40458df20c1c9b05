import { micromark } from 'micromark';
import { gfmFootnote, gfmFootnoteHtml } from 'micromark-extension-gfm-footnote';
import { gfmStrikethrough, gfmStrikethroughHtml } from 'micromark-extension-gfm-strikethrough';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseYaml, YAMLError } from 'yaml';
import { escapeCrowded } from '../../base/text.ts';
import { DocumentError } from '../documents/document-error.ts';
import { BlockCollector } from './block-collector.ts';
import { readComponentBlocks } from './component-blocks.ts';
import { parseHtml, pruneTree } from './html/parse-html.ts';
import { collectBlocks } from './html/walk-blocks.ts';
import type { LoadedDocument, LoadingLimits } from './loader.ts';
import { detectTitle, parseWebAddress } from './metadata.ts';

/** Reads Markdown with or without front matter. Throws a DocumentError. */
export function loadMarkdown(markdown: string, limits: LoadingLimits): LoadedDocument {
  const { title, url, body } = parseFrontMatter(markdown);
  const page = parseHtml(markdownToHtml(body));
  pruneTree(page, { keepLandmarks: false });
  const collector = new BlockCollector(limits);
  collectBlocks(page, collector);
  return detectTitle(collector, { title, url });
}

export interface FrontMatter {
  readonly title: string | null;
  readonly url: string | null;
  /** The text after the front matter. */
  readonly body: string;
}

const FRONT_MATTER_OPENING = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n/;
const CLOSING = { '---': /^---[ \t]*(?:\r?\n|$)/m, '+++': /^\+\+\+[ \t]*(?:\r?\n|$)/m } as const;
const FIRST_FIELD = /^\s*[\w-]+\s*[:=]/;

/** Splits YAML (`---`) or TOML (`+++`) front matter off a text. Text between two rules without fields stays text. */
export function parseFrontMatter(text: string): FrontMatter {
  const [opening = '', fence] = FRONT_MATTER_OPENING.exec(text) ?? [];
  const inside = text.slice(opening.length);
  const closing = CLOSING[fence === '+++' ? '+++' : '---'].exec(inside);
  const block = inside.slice(0, closing?.index ?? 0).replace(/\r?\n$/, '');
  if (opening === '' || closing === null || !FIRST_FIELD.test(block.replace(/^[ \t]*#.*$/gm, ''))) {
    return { title: null, url: null, body: text };
  }
  const fields = fence === '+++' ? parseFields(block, parseToml) : parseFields(block, parseYaml);
  return {
    title: parseScalar(fields.title) ?? titleLine(block),
    url:
      parseWebAddress(fields.url) ??
      parseWebAddress(fields.canonical) ??
      parseWebAddress(fields.canonical_url),
    body: inside.slice(closing.index + closing[0].length),
  };
}

function parseFields(block: string, parse: (block: string) => unknown): Readonly<Record<string, unknown>> {
  try {
    const value = parse(block);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    // The cause is usually an unquoted colon in a title. Front matter is not important enough to refuse the document.
    if (error instanceof YAMLError || error instanceof TomlError || error instanceof ReferenceError)
      return {};
    throw error;
  }
}

function parseScalar(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || null : null;
}

function titleLine(block: string): string | null {
  return (
    /^title\s*[:=]\s*(.+)$/m
      .exec(block)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2') || null
  );
}

const DEEP_QUOTE = /^(?:[ \t]*>){100}/m;
/** Elements that swallow the rest of a page if unclosed. In prose their tags are usually mere mentions. */
const RAW_TEXT_ELEMENTS =
  'iframe noembed noframes plaintext script select style template textarea title xmp'.split(' ');

/** Renders CommonMark with tables, strike-through and footnotes. Throws `nested_too_deeply`. */
export function markdownToHtml(markdown: string): string {
  if (DEEP_QUOTE.test(markdown)) throw new DocumentError('nested_too_deeply');
  const parts = splitVerbatim(readComponentBlocks(markdown)).map((part) =>
    part.verbatim ? part : { ...part, text: escapeCrowded(stripDialects(part.text)) },
  );
  return RAW_TEXT_ELEMENTS.reduce(escapeUnclosed, splitSections(parts).map(render).join('\n'));
}

function render(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfmTable(), gfmStrikethrough(), gfmFootnote()],
    htmlExtensions: [gfmTableHtml(), gfmStrikethroughHtml(), gfmFootnoteHtml()],
  });
}

function escapeUnclosed(html: string, tag: string): string {
  if (new RegExp(`</${tag}\\s*>`, 'i').test(html)) return html;
  return html.replace(new RegExp(`<${tag}(?:\\s[^<>]*)?>`, 'gi'), '');
}

/** Above about this size the parser's time grows faster than its input. */
const SECTION_CHARACTERS = 50_000;
/** An unindented paragraph or heading after a blank line is independent of the blocks before it. */
const SAFE_START = /(?<=\n[ \t]*\n)(?=[#\p{L}])/u;
const DEFINITION = /^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:[ \t]*\S.*$/gm;
const MAX_DEFINITION_CHARACTERS = 20_000;

/** Splits a long text into sections that can be rendered separately, each with the link definitions of all. */
export function splitSections(parts: readonly MarkdownPart[]): readonly string[] {
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

/** A match never crosses the next `{{`, so that a line of openings is read once (linear time). */
const SHORTCODE = /\{\{[<%]((?:(?!\{\{)[^\n])*?)[%>]\}\}/g;
const TITLE = /(?:header|heading|title|summary|label)="([^"\n]*)"/;
const SUMMARY = /(?:summary|title)="([^"\n]*)"/;
const ATTRIBUTE_LIST = /(?<![ \t])[ \t]*\{:?[ \t]*[.#:][^{}\n]*\}[ \t]*$/gm;
const TABLE_OF_CONTENTS = /^[ \t]*(?:\[\[_TOC_\]\]|\[TOC\]|\{:toc\})[ \t]*$/gim;
const ADMONITION = /^[ \t]*:{3,}([^\n]*)$/gm;
const ALERT = /^([ \t]*>[ \t]*)\[!\w+\][ \t]*/gm;

/** Removes the Markdown extensions of Hugo, Kramdown, Docusaurus, GitLab and GitHub but keeps the text inside them. */
export function stripDialects(markdown: string): string {
  return markdown
    .replace(SHORTCODE, (_shortcode, inner: string) => withoutShortcode(inner))
    .replace(ATTRIBUTE_LIST, '')
    .replace(TABLE_OF_CONTENTS, '')
    .replace(ADMONITION, withoutAdmonition)
    .replace(ALERT, '$1');
}

/** Replaces a shortcode by its visible title, if it has one. */
function withoutShortcode(inner: string): string {
  const [, name = '', attributes = ''] = /^\s*(\/?[\w-]+)(.*)$/s.exec(inner) ?? [];
  if (name === '/details') return '\n\n</details>\n\n';
  const summary = name === 'details' ? SUMMARY.exec(attributes)?.[1] : undefined;
  if (summary !== undefined) return `\n\n<details><summary>${summary}</summary>\n\n`;
  const title = TITLE.exec(attributes)?.[1];
  return title === undefined ? '' : `\n\n${title}\n\n`;
}

/** Replaces `:::tip[Title]{.wide}` by its title. A line with other braces is no admonition. */
function withoutAdmonition(line: string, rest: string): string {
  const [, words = ''] = /^[ \t]*(?:[a-z]+[ \t]*)?(.*)$/is.exec(rest) ?? [];
  const title = words.replace(/\{[^{}]*\}\s*$/, '').trimEnd();
  if (title.includes('{')) return line;
  return `\n${/^\[([^\]]*)\]$/.exec(title)?.[1] ?? title}\n`;
}

export interface MarkdownPart {
  readonly verbatim: boolean;
  readonly text: string;
}

/** Start of code, a comment or a script, whose content is not Markdown. */
const VERBATIM_OPENING =
  /^(?:[ \t]*(?:(?<fence>```)`*[^`\n\r\u2028\u2029]*|(?<tildes>~~~)[^\n\r\u2028\u2029]*)\r?\n|(?<comment><!--)|(?<element><(?:pre|script|style|textarea))\b)/gim;
const VERBATIM_CLOSINGS = {
  fence: /^[ \t]*`{3,}[ \t]*$/gm,
  tildes: /^[ \t]*~{3,}[ \t]*$/gm,
  comment: /-->/g,
  element: /<\/(?:pre|script|style|textarea)>/gi,
} as const;

/** Splits a text into alternating Markdown and verbatim parts. The first and the last part are Markdown. */
export function splitVerbatim(markdown: string): readonly MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  /** Kinds without a further closing: otherwise every opening would search the rest of the text (quadratic time). */
  const unclosedKinds = new Set<string>();
  let position = 0;
  for (const { index, 0: opening, groups } of markdown.matchAll(VERBATIM_OPENING)) {
    const kind = verbatimKind(groups ?? {});
    if (index < position || unclosedKinds.has(kind)) continue;
    const end = endAfter(VERBATIM_CLOSINGS[kind], markdown, index + opening.length);
    if (end === null) {
      unclosedKinds.add(kind);
      continue;
    }
    parts.push({ verbatim: false, text: markdown.slice(position, index) });
    parts.push({ verbatim: true, text: markdown.slice(index, end) });
    position = end;
  }
  parts.push({ verbatim: false, text: markdown.slice(position) });
  return parts;
}

function verbatimKind({ fence, tildes, comment }: Readonly<Record<string, string | undefined>>) {
  if (fence !== undefined) return 'fence';
  if (tildes !== undefined) return 'tildes';
  return comment === undefined ? 'element' : 'comment';
}

function endAfter(closing: RegExp, text: string, from: number): number | null {
  closing.lastIndex = from;
  return closing.test(text) ? closing.lastIndex : null;
}
