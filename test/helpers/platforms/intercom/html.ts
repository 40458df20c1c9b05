import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

const tags = ['p', 'br', 'b', 'i', 'u', 's', 'code', 'pre', 'a', 'blockquote'];

export type ReadIntercomHtml = { readonly text: string } | { readonly fault: string };

/** Reads HTML as strictly as Intercom: only the tags that it shows, each closed where it has to be. */
export function readIntercomHtml(html: string): ReadIntercomHtml {
  const faults: string[] = [];
  const { childNodes } = parseFragment(html, {
    onParseError: ({ code }) => void faults.push(code),
    sourceCodeLocationInfo: true,
  });
  const text = childNodes.map((node) => textOf(node, faults)).join('');
  const [fault] = faults;
  return fault === undefined ? { text } : { fault };
}

function textOf(node: Node, faults: string[]): string {
  if ('value' in node) return node.value;
  if (!('attrs' in node)) {
    faults.push(`a ${node.nodeName}`);
    return '';
  }
  if (!tags.includes(node.nodeName)) faults.push(`the tag ${node.nodeName}`);
  for (const { name, value } of node.attrs) {
    const isLink = node.nodeName === 'a' && name === 'href' && /^https?:\/\//.test(value);
    if (!isLink) faults.push(`${name}="${value}" of ${node.nodeName}`);
  }
  if (node.nodeName === 'br') return '\n';
  const inner = node.childNodes.map((child) => textOf(child, faults)).join('');
  return ['p', 'pre', 'blockquote'].includes(node.nodeName) ? `${inner}\n` : inner;
}
