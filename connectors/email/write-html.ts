import { type DefaultTreeAdapterTypes, html, serialize, defaultTreeAdapter as tree } from 'parse5';
import type { Block, Span, Style, TextBlock } from '../shared/markdown/block.ts';
import { linkRuns } from '../shared/markdown/link-runs.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

const letter = 'font-family: sans-serif; font-size: 14px; line-height: 1.5;';
const quoteLine = 'margin: 0 0 0 8px; padding-left: 8px; border-left: 2px solid #cccccc;';
const codeBox = 'font-family: monospace; font-size: 13px; white-space: pre-wrap; margin: 12px 0;';

/** Blocks as a mail in HTML: a tree that is written out, so that no text can become markup. */
export function writeHtml(blocks: readonly Block[], quoted: readonly string[] | null): string {
  const document = tree.createDocument();
  const root = add(document, 'html');
  const head = add(root, 'head');
  add(head, 'meta', { charset: 'utf-8' });
  const body = add(root, 'body');
  const content = add(body, 'div', { style: letter });
  let quotation: Element | null = null;
  for (const block of blocks) {
    quotation = block.quoted ? (quotation ?? add(content, 'blockquote', { style: quoteLine })) : null;
    writeBlock(block, quotation ?? content);
  }
  if (quoted !== null) writeQuoted(quoted, body);
  return `<!DOCTYPE html>${serialize(document)}`;
}

function add(parent: Parent, name: string, attributes: Readonly<Record<string, string>> = {}): Element {
  const attrs = Object.entries(attributes).map(([attribute, value]) => ({ name: attribute, value }));
  const element = tree.createElement(name, html.NS.HTML, attrs);
  tree.appendChild(parent, element);
  return element;
}

function writeBlock(block: Block, parent: Element): void {
  if (block.kind === 'code') {
    tree.insertText(add(add(parent, 'pre', { style: codeBox }), 'code'), block.text);
    return;
  }
  const style = `margin: ${block.tight ? '0' : '12px 0 0'};`;
  const level = block.heading === null ? 'p' : block.heading <= 2 ? 'h2' : 'h3';
  writeText(block, add(parent, level, { style: `${style}${level === 'p' ? '' : ' font-size: 16px;'}` }));
}

function writeText({ prefix, spans }: TextBlock, parent: Element): void {
  writeLines(prefix, parent);
  for (const run of linkRuns(spans)) {
    const place = run.link === null ? parent : add(parent, 'a', { href: run.link });
    for (const span of run.spans) writeSpan(span, place);
  }
}

function writeSpan({ text, style }: Span, parent: Element): void {
  writeLines(
    text,
    tagsOf(style).reduce<Element>((inner, tag) => add(inner, tag), parent),
  );
}

function tagsOf({ bold, italic, underline, strike, code }: Style): readonly string[] {
  const tags = { strong: bold, em: italic, u: underline, s: strike, code };
  return Object.entries(tags).flatMap(([tag, has]) => (has === true ? [tag] : []));
}

function writeLines(text: string, parent: Element): void {
  text.split('\n').forEach((line, index) => {
    if (index > 0) add(parent, 'br');
    if (line !== '') tree.insertText(parent, line);
  });
}

function writeQuoted([introduction = '', ...lines]: readonly string[], body: Element): void {
  tree.insertText(add(body, 'p', { style: letter }), introduction);
  writeLines(lines.join('\n'), add(body, 'blockquote', { type: 'cite', style: `${quoteLine} ${letter}` }));
}
