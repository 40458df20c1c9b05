import { defaultTreeAdapter, html } from 'parse5';
import { findDisclosures } from './disclosures.ts';
import {
  findElement,
  getAttribute,
  HIDING_STYLE,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isHidden,
} from './parse-html.ts';
import {
  hasSentence,
  isChrome,
  isMostlyLinks,
  parentElement,
  sampleText,
  wordCount,
} from './read-element.ts';

const HEADING = /^h[1-6]$/;
/** Children of other elements cannot be wrapped in a section. */
const NOT_WRAPPED = new Set(['ul', 'ol', 'dl', 'table', 'thead', 'tbody', 'tr', 'dd', 'details', 'pre']);
const CONTENT_ELEMENTS = new Set(['main', 'article']);
/** Shorter hidden texts are labels, counters and messages of forms. */
const MIN_HIDDEN_WORDS = 10;

/**
 * Opens what a visitor opens with a click: accordions, tabs, toggles and dialogs with content. A panel is shown and
 * becomes a `details` element with the text of its control as `summary`, so that the text stands under it as a heading.
 * Menus, cookie banners, forms and dialogs that no control in the content opens stay hidden. It changes the tree. On its
 * own result it changes nothing.
 */
export function openPanels(root: HtmlParent): void {
  const { panels, used } = findDisclosures(root);
  for (const [panel, label] of panels) openPanel(panel, label);
  removeAll(used);
  showHiddenText(root);
}

function openPanel(panel: HtmlElement, label: string): void {
  show(panel);
  if (isDialog(panel)) {
    panel.tagName = 'div';
    panel.nodeName = 'div';
    panel.attrs = panel.attrs.filter(({ name }) => name !== 'role' && name !== 'class' && name !== 'id');
  }
  if (label === '' || NOT_WRAPPED.has(panel.tagName) || beginsWith(panel, label)) return;
  const summary = defaultTreeAdapter.createElement('summary', html.NS.HTML, []);
  defaultTreeAdapter.insertText(summary, label);
  const details = defaultTreeAdapter.createElement('details', html.NS.HTML, []);
  const children = [summary, ...panel.childNodes];
  panel.childNodes = [];
  for (const child of children) defaultTreeAdapter.appendChild(details, child);
  defaultTreeAdapter.appendChild(panel, details);
}

function isDialog(panel: HtmlElement): boolean {
  return panel.tagName === 'dialog' || getAttribute(panel, 'role') === 'dialog';
}

/** True if the first heading of the panel, or the summary of an opened one, says the same. */
function beginsWith(panel: HtmlElement, label: string): boolean {
  const title = findElement(panel, ({ tagName }) => HEADING.test(tagName) || tagName === 'summary');
  return title !== null && sampleText(title).startsWith(label);
}

function show(element: HtmlElement): void {
  element.attrs = element.attrs.filter(
    ({ name, value }) =>
      name !== 'hidden' && name !== 'aria-hidden' && !(name === 'style' && HIDING_STYLE.test(value)),
  );
}

/** Visits each parent once: a page can have thousands of controls side by side. */
function removeAll(elements: ReadonlySet<HtmlNode>): void {
  const parents = new Set(Array.from(elements, ({ parentNode }) => parentNode));
  for (const parent of parents) {
    if (parent !== null) parent.childNodes = parent.childNodes.filter((node) => !elements.has(node));
  }
}

/** Shows hidden prose of the content whose control is not known: scripts can bind one to any element. */
function showHiddenText(root: HtmlParent): void {
  const visit = (parent: HtmlParent, isContent: boolean): void => {
    for (const node of parent.childNodes) {
      if (!isElement(node)) continue;
      if (isHidden(node)) {
        if (!isContent || !isHiddenProse(node)) continue;
        show(node);
      }
      visit(node, isContent || CONTENT_ELEMENTS.has(node.tagName));
    }
  };
  visit(root, false);
}

const SPEAKING_ROLES = new Set(['alert', 'status', 'dialog', 'alertdialog', 'tooltip', 'log', 'menu']);

function isHiddenProse(element: HtmlElement): boolean {
  const role = getAttribute(element, 'role') ?? '';
  if (SPEAKING_ROLES.has(role) || getAttribute(element, 'aria-live') !== null) return false;
  // Decoration and second copies for other widths are marked so, and not with `hidden`.
  if (getAttribute(element, 'aria-hidden') === 'true') return false;
  if (element.tagName === 'dialog' || parentElement(element)?.tagName === 'form') return false;
  const text = sampleText(element);
  return (
    wordCount(text) >= MIN_HIDDEN_WORDS && hasSentence(text) && !isChrome(element) && !isMostlyLinks(element)
  );
}
