import { createElement, Fragment, type ReactNode } from 'react';

/** Elements that platforms know; for others only the text is drawn. */
const known: Readonly<Record<string, string>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'u',
  s: 'del',
  del: 'del',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  p: 'p',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  h1: 'strong',
  h2: 'strong',
  h3: 'strong',
  div: 'div',
  a: 'u',
};

/**
 * Draws the HTML that a platform gets as React nodes. The browser's own parser reads it into a document that runs and
 * loads nothing, and no attribute is copied.
 */
export function drawHtml(html: string): ReactNode {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return drawNodes(body);
}

function drawNodes(parent: Node): ReactNode {
  return [...parent.childNodes].map((node, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nodes of one text do not change places
    <Fragment key={position}>{drawNode(node)}</Fragment>
  ));
}

function drawNode(node: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (name === 'br') return <br />;
  const element = known[name];
  const inner = drawNodes(node);
  return element === undefined ? inner : createElement(element, null, inner);
}
