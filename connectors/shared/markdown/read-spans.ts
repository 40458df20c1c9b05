import type { Definition, Html, Link, Nodes, PhrasingContent } from 'mdast';
import { parseWebLink } from '../http.ts';
import type { Span, Style } from './blocks.ts';

/** Link definitions by identifier, for `[text][identifier]`. */
export type Definitions = ReadonlyMap<string, Definition>;

/**
 * Parses the inline content of a paragraph. Of HTML, only `<u>`, `<ins>` and `<br>` have an effect; other tags stay as
 * text.
 */
export function parseSpans(
  nodes: readonly PhrasingContent[],
  style: Style,
  definitions: Definitions,
): readonly Span[] {
  const spans: Span[] = [];
  let own = style;
  for (const node of nodes) {
    if (node.type === 'html') own = applyHtmlTag(node, { style, own }, spans);
    else spans.push(...parseNode(node, own, definitions));
  }
  return spans.filter(({ text }) => text !== '');
}

function parseNode(
  node: Exclude<PhrasingContent, Html>,
  style: Style,
  definitions: Definitions,
): readonly Span[] {
  const inside = (nodes: readonly PhrasingContent[], added: Style) =>
    parseSpans(nodes, { ...style, ...added }, definitions);
  switch (node.type) {
    case 'strong':
      return inside(node.children, { bold: true });
    case 'emphasis':
      return inside(node.children, { italic: true });
    case 'delete':
      return inside(node.children, { strike: true });
    case 'link':
      return parseLink(node, style, definitions);
    case 'linkReference': {
      const url = definitions.get(node.identifier)?.url ?? '';
      return parseLink({ type: 'link', url, children: node.children }, style, definitions);
    }
    case 'image':
      return parseImage(node.alt ?? '', node.url, style);
    case 'imageReference':
      return parseImage(node.alt ?? '', definitions.get(node.identifier)?.url ?? '', style);
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

/** Returns the style after the tag. */
function applyHtmlTag(node: Html, { style, own }: { style: Style; own: Style }, spans: Span[]): Style {
  const tag = node.value.toLowerCase().replaceAll(/\s/g, '');
  if (tag === '<u>' || tag === '<ins>') return { ...own, underline: true };
  if (tag === '</u>' || tag === '</ins>') return style;
  spans.push({ text: /^<br\/?>$/.test(tag) ? '\n' : node.value, style: own });
  return own;
}

/** Adds the address of a `mailto:` link after its text. Other schemes than http and https become plain text. */
function parseLink(node: Link, style: Style, definitions: Definitions): readonly Span[] {
  const link = parseWebLink(node.url);
  const spans = parseSpans(node.children, link === null ? style : { ...style, link }, definitions);
  if (!node.url.startsWith('mailto:')) return spans;
  const address = node.url.slice('mailto:'.length);
  return node.children.some((child) => spansText(child).includes(address))
    ? spans
    : [...spans, { text: ` (${address})`, style }];
}

function spansText(node: Nodes): string {
  if ('children' in node) return node.children.map(spansText).join('');
  return 'value' in node ? node.value : '';
}

function parseImage(alt: string, url: string, style: Style): readonly Span[] {
  const link = parseWebLink(url);
  if (link === null || style.link !== undefined) return [{ text: alt, style }];
  return [{ text: alt === '' ? link : alt, style: { ...style, link } }];
}
