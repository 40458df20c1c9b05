import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { serialize } from 'parse5';
import {
  getAttribute,
  type HtmlElement,
  type HtmlParent,
  isElement,
  parseHtml,
} from '../../../knowledge/loaders/html/parse-html.ts';
import type { PageTree } from '../../source-reader.ts';

/** Counts up when the same tree gives another text: then all stored pages are cut anew. */
export const CUTTER = 1;

/** Larger trees are not stored: such a page is asked for without conditions, and cut when it is read. */
const MAX_STORED_BYTES = 2 ** 20;
/** More than a page of the largest size can have. */
const MAX_TREE_BYTES = 32 * 2 ** 20;

const UNREAD = new Set(
  `audio base canvas embed iframe input link meta noscript object script source style svg template track
  video`.split(/\s+/),
);
/** Others change with each answer, like tokens, and are not read. */
const READ_ATTRIBUTES = new Set(
  `alt aria-controls aria-hidden class colspan dir hidden id lang role rowspan start style`.split(/\s+/),
);
/** The attributes that open panels, and are not read after that. */
const OPENING_ATTRIBUTES = new Set(
  `aria-expanded aria-labelledby aria-live commandfor data-bs-target data-bs-toggle data-modal data-target data-toggle
  popovertarget`.split(/\s+/),
);

/** Removes what no loader reads, so that equal content has equal bytes. */
export function removeUnread(parent: HtmlParent): void {
  clean(parent, {
    isKept: ({ tagName }) => !UNREAD.has(tagName),
    isRead: (name) => READ_ATTRIBUTES.has(name),
  });
}

/** Removes what no step behind it needs, and returns the tree to be stored; null if it is too large for that. */
export function packTree(page: HtmlParent): PageTree | null {
  clean(page, {
    isKept: (element) => !UNREAD.has(element.tagName) || isData(element),
    isRead: (name) => READ_ATTRIBUTES.has(name) || OPENING_ATTRIBUTES.has(name) || name === 'type',
  });
  const text = serialize(page);
  const hash = createHash('sha256').update(text).digest('base64url');
  const bytes = gzipSync(text);
  return bytes.byteLength > MAX_STORED_BYTES ? null : { hash, bytes };
}

/** Returns the tree of a stored page. */
export function unpackTree(bytes: Uint8Array): ReturnType<typeof parseHtml> {
  return parseHtml(gunzipSync(bytes, { maxOutputLength: MAX_TREE_BYTES }).toString('utf8'));
}

/** Questions and products, which the cut page states where its text lacks them. */
function isData(element: HtmlElement): boolean {
  return element.tagName === 'script' && /ld\+json/i.test(getAttribute(element, 'type') ?? '');
}

interface Cleaning {
  readonly isKept: (element: HtmlElement) => boolean;
  readonly isRead: (name: string) => boolean;
}

function clean(parent: HtmlParent, cleaning: Cleaning): void {
  parent.childNodes = parent.childNodes.filter(
    (node) => node.nodeName !== '#comment' && !(isElement(node) && !cleaning.isKept(node)),
  );
  for (const node of parent.childNodes.filter(isElement)) {
    node.attrs = node.attrs.filter(({ name, value }) => cleaning.isRead(name) || isReadTarget(name, value));
    clean(node, cleaning);
  }
}

/** Other addresses are not read either, and may hold the id of a session. */
function isReadTarget(name: string, value: string): boolean {
  return name === 'href' && /^\s*(?:#|mailto:|tel:)/i.test(value);
}
