import type { Definition, Html, Link, Nodes, PhrasingContent } from 'mdast';
import { webLink } from '../http.ts';
import type { Span, Style } from './blocks.ts';

/** By their identifiers: where `[text][identifier]` leads. */
export type Definitions = ReadonlyMap<string, Definition>;

/** The runs of letters of a paragraph. Of HTML only `<u>`, `<ins>` and `<br>` mean something; the rest is shown as it is. */
export function readSpans(
  nodes: readonly PhrasingContent[],
  style: Style,
  definitions: Definitions,
): readonly Span[] {
  const spans: Span[] = [];
  let own = style;
  for (const node of nodes) {
    if (node.type === 'html') own = readHtml(node, { style, own }, spans);
    else spans.push(...readNode(node, own, definitions));
  }
  return spans.filter(({ text }) => text !== '');
}

function readNode(
  node: Exclude<PhrasingContent, Html>,
  style: Style,
  definitions: Definitions,
): readonly Span[] {
  const inside = (nodes: readonly PhrasingContent[], added: Style) =>
    readSpans(nodes, { ...style, ...added }, definitions);
  switch (node.type) {
    case 'strong':
      return inside(node.children, { bold: true });
    case 'emphasis':
      return inside(node.children, { italic: true });
    case 'delete':
      return inside(node.children, { strike: true });
    case 'link':
      return readLink(node, style, definitions);
    case 'linkReference': {
      const url = definitions.get(node.identifier)?.url ?? '';
      return readLink({ type: 'link', url, children: node.children }, style, definitions);
    }
    case 'image':
      return readImage(node.alt ?? '', node.url, style);
    case 'imageReference':
      return readImage(node.alt ?? '', definitions.get(node.identifier)?.url ?? '', style);
    case 'inlineCode':
      return [{ text: node.value, style: { ...style, code: true } }];
    case 'footnoteReference':
      return [{ text: `[${node.identifier}]`, style }];
    case 'break':
      return [{ text: '\n', style }];
    case 'text':
      return [{ text: node.value, style }];
  }
}

/** What the letters after the tag look like. */
function readHtml(node: Html, { style, own }: { style: Style; own: Style }, spans: Span[]): Style {
  const tag = node.value.toLowerCase().replaceAll(/\s/g, '');
  if (tag === '<u>' || tag === '<ins>') return { ...own, underline: true };
  if (tag === '</u>' || tag === '</ins>') return style;
  spans.push({ text: /^<br\/?>$/.test(tag) ? '\n' : node.value, style: own });
  return own;
}

/** Addresses of mail are named beside the text; what leads to neither mail nor the web is text. */
function readLink(node: Link, style: Style, definitions: Definitions): readonly Span[] {
  const link = webLink(node.url);
  const spans = readSpans(node.children, link === null ? style : { ...style, link }, definitions);
  if (!node.url.startsWith('mailto:')) return spans;
  const address = node.url.slice('mailto:'.length);
  return node.children.some((child) => wordsOf(child).includes(address))
    ? spans
    : [...spans, { text: ` (${address})`, style }];
}

function wordsOf(node: Nodes): string {
  if ('children' in node) return node.children.map(wordsOf).join('');
  return 'value' in node ? node.value : '';
}

function readImage(alt: string, url: string, style: Style): readonly Span[] {
  const link = webLink(url);
  if (link === null || style.link !== undefined) return [{ text: alt, style }];
  return [{ text: alt === '' ? link : alt, style: { ...style, link } }];
}
