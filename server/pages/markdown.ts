import type { PhrasingContent, RootContent, Table, TableRow } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { escapeCrowded } from '../../core/base/text.ts';
import { type Element, element } from './html.ts';

type Content = Element | string;

/**
 * Renders Markdown as elements of a page. HTML in it is shown as text, and links can only lead to web pages
 * and email addresses.
 */
export function renderMarkdown(text: string): readonly Content[] {
  const { children } = fromMarkdown(escapeCrowded(text), {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return children.flatMap(renderBlock);
}

function renderBlock(node: RootContent): readonly Content[] {
  switch (node.type) {
    case 'paragraph':
      return [element('p', {}, node.children.flatMap(renderInline))];
    case 'heading':
      return [
        element('p', { class: 'heading' }, [element('strong', {}, node.children.flatMap(renderInline))]),
      ];
    case 'code':
      return [element('pre', { tabindex: '0', dir: 'ltr' }, [element('code', {}, [node.value])])];
    case 'blockquote':
      return [element('blockquote', {}, node.children.flatMap(renderBlock))];
    case 'list':
      return [element(node.ordered ? 'ol' : 'ul', listStart(node.start), node.children.flatMap(renderBlock))];
    case 'listItem':
      return [element('li', {}, node.children.flatMap(renderListItem))];
    case 'table':
      return [element('div', { class: 'table', tabindex: '0' }, [element('table', {}, renderRows(node))])];
    case 'thematicBreak':
      return [element('hr', {}, [])];
    case 'html':
      return [element('p', {}, [node.value])];
    default:
      return [];
  }
}

function renderRows({ children: [head, ...rows] }: Table): readonly Element[] {
  const renderRow = (name: 'th' | 'td', row: TableRow) =>
    element(
      'tr',
      {},
      row.children.map((cell) => element(name, {}, cell.children.flatMap(renderInline))),
    );
  const body = rows.map((row) => renderRow('td', row));
  return [
    element('thead', {}, head === undefined ? [] : [renderRow('th', head)]),
    element('tbody', {}, body),
  ];
}

/**
 * Renders the first paragraph of an item without a `p` element, so that it stays on the line of the marker.
 */
function renderListItem(node: RootContent): readonly Content[] {
  return node.type === 'paragraph' ? node.children.flatMap(renderInline) : renderBlock(node);
}

function listStart(start: number | null | undefined): Record<string, string> {
  return start == null || start === 1 ? {} : { start: String(start) };
}

/** How a kind of page renders the parts of a text that can carry an address or markup. */
interface InlineRules {
  link(address: string, content: readonly Content[]): readonly Content[];
  image(address: string, alt: string): readonly Content[];
  html(markup: string): readonly Content[];
}

/** Renders running text. Only `rules` decide where links and pictures lead. */
export function renderInlineMarkdown(node: PhrasingContent, rules: InlineRules): readonly Content[] {
  const inside = (children: readonly PhrasingContent[]) =>
    children.flatMap((child) => renderInlineMarkdown(child, rules));
  switch (node.type) {
    case 'text':
      return [node.value];
    case 'html':
      return rules.html(node.value);
    case 'inlineCode':
      return [element('code', { dir: 'ltr' }, [node.value])];
    case 'strong':
      return [element('strong', {}, inside(node.children))];
    case 'emphasis':
      return [element('em', {}, inside(node.children))];
    case 'delete':
      return [element('del', {}, inside(node.children))];
    case 'break':
      return [element('br', {}, [])];
    case 'link':
      return rules.link(node.url, inside(node.children));
    case 'image':
      return rules.image(node.url, node.alt ?? '');
    default:
      return [];
  }
}

const messageRules: InlineRules = {
  link: (address, content) => [renderLink(address, content)],
  image: (_address, alt) => [alt],
  html: (markup) => [markup],
};

function renderInline(node: PhrasingContent): readonly Content[] {
  return renderInlineMarkdown(node, messageRules);
}

function renderLink(address: string, children: readonly Content[]): Element {
  const url = URL.parse(address);
  const isSafe = url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol);
  if (!isSafe) return element('em', {}, children);
  if (url.username !== '' || url.password !== '') {
    // `https://bank.example@attack.example` passes for its user, and leads to the host.
    url.username = '';
    url.password = '';
    if (children.length === 1 && children[0] === address) return renderLink(url.href, [url.href]);
  }
  return element('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow' }, children);
}
