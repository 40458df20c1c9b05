import type { Heading, Paragraph, PhrasingContent, RootContent, Table } from 'mdast';
import { type Element, element } from '../pages/html.ts';
import { renderInlineMarkdown } from '../pages/markdown.ts';
import { Anchors, plainText } from './markdown-text.ts';

type Content = Element | string;

interface RenderOptions {
  /** The address of a link or picture; null if it leads nowhere, and only its words are shown. */
  readonly resolveLink: (link: string) => string | null;
}

/**
 * The Markdown of a documentation page as elements: headings have anchors, tables have head cells, and links between
 * files lead to pages. HTML in it is left out.
 */
export function renderDocsMarkdown(
  nodes: readonly RootContent[],
  { resolveLink }: RenderOptions,
): readonly Content[] {
  const anchors = new Anchors();
  return nodes.flatMap(renderBlock);

  function renderBlock(node: RootContent): readonly Content[] {
    switch (node.type) {
      case 'heading':
        return [renderHeading(node)];
      case 'paragraph':
        return [renderParagraph(node)];
      case 'code':
        return [renderCode(node.value, node.lang ?? 'text')];
      case 'blockquote':
        return [element('blockquote', {}, node.children.flatMap(renderBlock))];
      case 'list':
        return [element(node.ordered ? 'ol' : 'ul', {}, node.children.flatMap(renderBlock))];
      case 'listItem':
        return [
          element(
            'li',
            {},
            node.children.flatMap((child) => renderItem(child, node.spread ?? false)),
          ),
        ];
      case 'table':
        return [renderTable(node)];
      case 'thematicBreak':
        return [element('hr', {}, [])];
      default:
        return [];
    }
  }

  function renderHeading(node: Heading): Element {
    const anchor = anchors.next(plainText(node));
    const content = node.children.flatMap(renderInline);
    if (node.depth === 1) return element('h1', { id: anchor }, content);
    return element(`h${node.depth}`, { id: anchor }, [
      element('a', { class: 'anchor', href: `#${anchor}` }, content),
    ]);
  }

  /** The words of a tight list's item stand on its line. */
  function renderItem(node: RootContent, isSpread: boolean): readonly Content[] {
    return node.type === 'paragraph' && !isSpread ? node.children.flatMap(renderInline) : renderBlock(node);
  }

  function renderParagraph(node: Paragraph): Element {
    const [only] = node.children;
    const isPicture = node.children.length === 1 && only?.type === 'image';
    return element(isPicture ? 'figure' : 'p', {}, node.children.flatMap(renderInline));
  }

  function renderTable({ children: [head, ...rows] }: Table): Element {
    const labels = head?.children.map(plainText) ?? [];
    // On a phone each row is a block of its own, in which the style sheet shows the label of a cell before it.
    const renderRow = (name: 'th' | 'td', row: Table['children'][number]) =>
      element(
        'tr',
        {},
        row.children.map((cell, place) => {
          const label: Record<string, string> = name === 'td' ? { 'data-label': labels[place] ?? '' } : {};
          return element(name, label, cell.children.flatMap(renderInline));
        }),
      );
    return element('div', { class: 'table', tabindex: '0' }, [
      element('table', {}, [
        element('thead', {}, head === undefined ? [] : [renderRow('th', head)]),
        element(
          'tbody',
          {},
          rows.map((row) => renderRow('td', row)),
        ),
      ]),
    ]);
  }

  function renderInline(node: PhrasingContent): readonly Content[] {
    return renderInlineMarkdown(node, { link: renderLink, image: renderImage, html: () => [] });
  }

  function renderLink(link: string, content: readonly Content[]): readonly Content[] {
    const isForeign = ['http:', 'https:', 'mailto:'].includes(URL.parse(link)?.protocol ?? '');
    if (isForeign) return [element('a', { href: link, rel: 'noopener noreferrer' }, content)];
    const href = resolveLink(link);
    return href === null ? content : [element('a', { href }, content)];
  }

  function renderImage(link: string, alt: string): readonly Content[] {
    const src = resolveLink(link);
    return src === null ? [alt] : [element('img', { src, alt, loading: 'lazy' }, [])];
  }
}

/** Comments and strings, as far as a reader needs them told apart; every other language is plain. */
const shellTokens = /(?<comment>^#.*$)|(?<string>'[^']*'|"[^"\n]*")/gm;
const scriptTokens = /(?<comment>\/\/.*$)|(?<string>'[^'\n]*'|"[^"\n]*"|`[^`]*`)/gm;
const tokens: Readonly<Record<string, RegExp>> = {
  sh: shellTokens,
  js: scriptTokens,
  json: /(?<string>"[^"\n]*")/g,
};

function renderCode(code: string, language: string): Element {
  return element('div', { class: 'code', 'data-language': language }, [
    element('pre', { tabindex: '0' }, [element('code', {}, colourCode(code, tokens[language]))]),
  ]);
}

function colourCode(code: string, pattern: RegExp | undefined): readonly Content[] {
  if (pattern === undefined) return [code];
  const content: Content[] = [];
  let at = 0;
  for (const { 0: token, index, groups } of code.matchAll(pattern)) {
    content.push(code.slice(at, index));
    content.push(element('span', { class: groups?.comment === undefined ? 'string' : 'comment' }, [token]));
    at = index + token.length;
  }
  return [...content, code.slice(at)];
}
