import { h } from './dom.ts';
import { type Block, parseMarkdown, type Span } from './markdown.ts';

/**
 * Returns a function that shows Markdown in `place` and, for a longer text, replaces only changed blocks. Never inserts
 * HTML.
 */
export function createMarkdownView(place: HTMLElement): (text: string) => void {
  let shown: string[] = [];
  return (text) => {
    const blocks = parseMarkdown(text);
    const keys = blocks.map((block) => JSON.stringify(block));
    const same = keys.findIndex((key, index) => key !== shown[index]);
    const from = same === -1 ? keys.length : same;
    while (place.childNodes.length > from) place.lastChild?.remove();
    place.append(...blocks.slice(from).map(showBlock));
    shown = keys;
  };
}

function showBlock(block: Block): HTMLElement {
  switch (block.kind) {
    case 'paragraph':
      return h('p', {}, ...showSpans(block.spans));
    case 'heading':
      return h('p', { class: 'heading' }, h('strong', {}, ...showSpans(block.spans)));
    case 'code':
      return h('pre', { tabindex: 0, dir: 'ltr' }, h('code', {}, block.text));
    case 'quote':
      return h('blockquote', {}, ...block.blocks.map(showBlock));
    case 'list':
      return showList(block);
    case 'table':
      return showTable(block);
    case 'rule':
      return h('hr');
  }
}

function showList({ start, items }: Extract<Block, { kind: 'list' }>): HTMLElement {
  const lines = items.map((blocks) => {
    const [first, ...others] = blocks;
    if (first?.kind !== 'paragraph') return h('li', {}, ...blocks.map(showBlock));
    return h('li', {}, ...showSpans(first.spans), ...others.map(showBlock));
  });
  return start === null ? h('ul', {}, ...lines) : h('ol', { start }, ...lines);
}

function showTable({ head, rows }: Extract<Block, { kind: 'table' }>): HTMLElement {
  const row = (cells: Span[][], tag: 'th' | 'td') =>
    h('tr', {}, ...cells.map((spans) => h(tag, {}, ...showSpans(spans))));
  const body = h('tbody', {}, ...rows.map((cells) => row(cells, 'td')));
  return h('div', { class: 'table', tabindex: 0 }, h('table', {}, h('thead', {}, row(head, 'th')), body));
}

function showSpans(spans: Span[]): (Node | string)[] {
  return spans.map((span) => {
    switch (span.kind) {
      case 'text':
        return span.text;
      case 'code':
        return h('code', { dir: 'ltr' }, span.text);
      case 'break':
        return h('br');
      case 'link':
        return h(
          'a',
          { href: span.href, target: '_blank', rel: 'noopener noreferrer nofollow' },
          ...showSpans(span.spans),
        );
      default:
        return h(span.kind, {}, ...showSpans(span.spans));
    }
  });
}
