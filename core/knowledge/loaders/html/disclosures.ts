import {
  findElement,
  getAttribute,
  type HtmlElement,
  type HtmlParent,
  isElement,
  isHidden,
} from './parse-html.ts';
import {
  hasSentence,
  isChrome,
  isMostlyLinks,
  namesOf,
  parentElement,
  sampleText,
  wordCount,
} from './read-element.ts';

export interface Disclosures {
  /** Panels that controls of the page open, with their labels; empty if the heading has the label already. */
  readonly panels: ReadonlyMap<HtmlElement, string>;
  /** Controls whose text became a label. */
  readonly used: ReadonlySet<HtmlElement>;
}

const MAX_LABEL = 300;
/** The elements beside each of them are looked at. */
const MAX_TAB_LISTS = 500;
const TITLES = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'summary', 'dt', 'th']);
const SITE_PARTS = new Set(['nav', 'footer', 'menu']);
const TARGETS = [
  'aria-controls',
  'data-target',
  'data-bs-target',
  'data-modal',
  'popovertarget',
  'commandfor',
];
const DISCLOSING = new Set(
  'accordion collapse collapsible collapser disclosure expand expander expandable faq question toggle toggler'.split(
    ' ',
  ),
);
const TOGGLES = new Set(['accordion', 'collapse', 'modal', 'pill', 'tab', 'toggle']);

/** Finds panels by their controls: by id, by the order of tabs, and by a control that stands before a panel. */
export function findDisclosures(root: HtmlParent): Disclosures {
  const search = new Search(root);
  search.pairTabs();
  search.followTargets();
  search.readLabels();
  search.lookBefore();
  return search;
}

class Search implements Disclosures {
  readonly panels = new Map<HtmlElement, string>();
  readonly used = new Set<HtmlElement>();
  readonly #elements: readonly HtmlElement[];
  readonly #byId = new Map<string, HtmlElement>();
  readonly #before = new Map<HtmlElement, HtmlElement>();

  constructor(root: HtmlParent) {
    const elements: HtmlElement[] = [];
    const visit = (parent: HtmlParent): void => {
      let before: HtmlElement | null = null;
      for (const node of parent.childNodes) {
        if (!isElement(node)) continue;
        elements.push(node);
        const id = getAttribute(node, 'id');
        if (id !== null && !this.#byId.has(id)) this.#byId.set(id, node);
        if (before !== null) this.#before.set(node, before);
        before = node;
        if (!SITE_PARTS.has(node.tagName) && getAttribute(node, 'role') !== 'navigation') visit(node);
      }
    };
    visit(root);
    this.#elements = elements;
  }

  /** Tabs without ids belong to the panels beside them by their order. */
  pairTabs(): void {
    for (const list of this.#elements.filter(isTabList).slice(0, MAX_TAB_LISTS)) {
      const tabs = tabsIn(list);
      const panels = tabs.length > 1 ? panelsBeside(list) : [];
      if (tabs.length !== panels.length || tabs.some((tab) => this.#targetsOf(tab).length > 0)) continue;
      for (const [place, tab] of tabs.entries()) {
        const panel = panels[place];
        if (panel !== undefined) this.#open(panel, tab);
      }
    }
  }

  followTargets(): void {
    for (const control of this.#elements) {
      for (const panel of this.#targetsOf(control)) {
        if (panel !== control && !isInside(control, panel)) this.#open(panel, control);
      }
    }
  }

  /** A panel can name its control instead. */
  readLabels(): void {
    for (const panel of this.#elements) {
      if (getAttribute(panel, 'role') !== 'tabpanel' || this.panels.has(panel)) continue;
      const control = this.#byId.get(getAttribute(panel, 'aria-labelledby') ?? '');
      if (control !== undefined) this.#open(panel, control);
      else this.panels.set(panel, '');
    }
  }

  /** A control often stands right before its panel, and a script knows the rest. */
  lookBefore(): void {
    for (const panel of this.#elements) {
      const before = this.#before.get(panel);
      if (before === undefined || this.panels.has(panel) || this.used.has(before)) continue;
      const isClosed = isHidden(panel);
      const control = controlIn(before);
      if (control !== null && this.#targetsOf(control).length > 0) continue;
      if (control !== null && (isClosed || isDisclosing(control) || isDisclosing(before)))
        this.#open(panel, control);
      else if (isClosed && (TITLES.has(before.tagName) || isDisclosing(before))) this.#open(panel, before);
    }
  }

  #targetsOf(control: HtmlElement): readonly HtmlElement[] {
    const names = TARGETS.map((name) => getAttribute(control, name) ?? '');
    const toggles = getAttribute(control, 'data-bs-toggle') ?? getAttribute(control, 'data-toggle') ?? '';
    const isToggle = TOGGLES.has(toggles) || getAttribute(control, 'role') === 'tab' || isDisclosing(control);
    const href = getAttribute(control, 'href') ?? '';
    if (isToggle && href.startsWith('#')) names.push(href);
    return names
      .join(' ')
      .split(/\s+/, 20)
      .flatMap((name) => this.#byId.get(name.replace(/^#/, '')) ?? []);
  }

  #open(panel: HtmlElement, control: HtmlElement): void {
    if (this.panels.has(panel) || isChrome(control) || !isContentPanel(panel)) return;
    // A list of pictures: its controls are the only text.
    if (wordCount(sampleText(panel)) === 0) return;
    if (TITLES.has(control.tagName) || isInTitle(control) || holdsTitle(control)) {
      this.panels.set(panel, '');
      return;
    }
    const text = sampleText(control).slice(0, MAX_LABEL);
    const label = wordCount(text) === 0 ? '' : text;
    this.panels.set(panel, label);
    if (label !== '') this.used.add(control);
  }
}

/** Dialogs must have something to read; other panels only must not belong to the site. */
function isContentPanel(panel: HtmlElement): boolean {
  if (panel.tagName === 'main' || panel.tagName === 'body' || isChrome(panel) || isMostlyLinks(panel))
    return false;
  const isDialog = panel.tagName === 'dialog' || getAttribute(panel, 'role') === 'dialog';
  if (!isDialog) return findElement(panel, ({ tagName }) => tagName === 'main') === null;
  if (findElement(panel, ({ tagName }) => tagName === 'form' || tagName === 'input') !== null) return false;
  const text = sampleText(panel);
  return (
    findElement(panel, ({ tagName }) => tagName === 'table') !== null ||
    (wordCount(text) > 4 && hasSentence(text))
  );
}

function isTabList(element: HtmlElement): boolean {
  return (
    getAttribute(element, 'role') === 'tablist' ||
    /(?:^|\s)(?:tabbed-labels|nav-tabs|tab-titles|tab-labels)(?:\s|$)/.test(
      getAttribute(element, 'class') ?? '',
    )
  );
}

function tabsIn(list: HtmlElement): readonly HtmlElement[] {
  const tabs: HtmlElement[] = [];
  findElement(list, (element) => {
    if (getAttribute(element, 'role') === 'tab') tabs.push(element);
    return false;
  });
  return tabs.length > 0
    ? tabs
    : list.childNodes.filter(isElement).filter(({ tagName }) => tagName !== 'input');
}

const MAX_LEVELS = 3;

/** Returns the panels after a list of tabs, or after one of the elements around it. */
function panelsBeside(list: HtmlElement): readonly HtmlElement[] {
  let around: HtmlElement | null = list;
  for (let level = 0; level < MAX_LEVELS && around !== null; level += 1) {
    const siblings: readonly HtmlElement[] = around.parentNode?.childNodes.filter(isElement) ?? [];
    const later = siblings.slice(siblings.indexOf(around) + 1);
    for (const group of [later, ...later.map((sibling) => sibling.childNodes.filter(isElement))]) {
      const panels = group.filter(isTabPanel);
      if (panels.length > 1) return panels;
    }
    around = parentElement(around);
  }
  return [];
}

function isTabPanel(element: HtmlElement): boolean {
  return (
    getAttribute(element, 'role') === 'tabpanel' ||
    /(?:^|[\s_-])(?:tab-?pane|tabbed-block|tab-?panel|tab-content|tab-item)(?:[\s_-]|$)/.test(
      getAttribute(element, 'class') ?? '',
    )
  );
}

/** Returns the control that an element is, or that is all of its text. */
function controlIn(element: HtmlElement): HtmlElement | null {
  if (isControl(element)) return element;
  const control = findElement(element, isControl);
  return control !== null && sampleText(control) === sampleText(element) ? control : null;
}

function isControl(element: HtmlElement): boolean {
  return (
    element.tagName === 'button' ||
    getAttribute(element, 'role') === 'button' ||
    getAttribute(element, 'aria-expanded') !== null
  );
}

/** True if an attribute or a class says that the element opens another one. */
function isDisclosing(element: HtmlElement): boolean {
  if (getAttribute(element, 'aria-expanded') !== null) return true;
  const isSmall = wordCount(sampleText(element)) <= 40;
  return isSmall && namesOf(element).some((word) => DISCLOSING.has(word));
}

function isInside(element: HtmlElement, container: HtmlElement): boolean {
  for (let parent = parentElement(element); parent !== null; parent = parentElement(parent)) {
    if (parent === container) return true;
  }
  return false;
}

function isInTitle(element: HtmlElement): boolean {
  const parent = parentElement(element);
  return parent !== null && (TITLES.has(parent.tagName) || (parent.tagName !== 'body' && isInTitle(parent)));
}

function holdsTitle(element: HtmlElement): boolean {
  return findElement(element, ({ tagName }) => TITLES.has(tagName)) !== null;
}
