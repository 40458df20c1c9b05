import { serialize } from 'parse5';
import { findMainContent } from '../../knowledge/loaders/html/load-html.ts';
import { openPanels } from '../../knowledge/loaders/html/open-panels.ts';
import {
  countTextCharacters,
  findElement,
  getAttribute,
  type HtmlElement,
  type HtmlParent,
  isElement,
  pruneTree,
} from '../../knowledge/loaders/html/parse-html.ts';
import { appendStatedParts, readStructuredData } from '../../knowledge/loaders/html/structured-data.ts';
import { type CutPage, cutTemplate, NO_TEMPLATE, type TemplateCut } from './template/cut-template.ts';
import { applyRules, type BlockRules, isWithoutRules, NO_RULES } from './tree/apply-rules.ts';
import { CutNotes, type CutReason } from './tree/cut-notes.ts';
import { type CutBlock, describeBlocks, listBlocks } from './tree/page-ledger.ts';
import { removeUnread } from './tree/page-tree.ts';

const FOREIGN_STARTS =
  `cookie cookies cookiebot cybotcookiebot onetrust usercentrics didomi consent gdpr breadcrumb
  breadcrumbs skip-link share newsletter edit-this edit-page edit-link edit-on related feedback votes
  pagination`.split(/\s+/);
const FOREIGN_ENDS = new Set(
  `ad ads advert archives banner breadcrumb breadcrumbs comments consent cookies copyright dialog feedback footer header
  lightbox masthead menu modal nav navbar navigation newsletter overlay pager pagination popup promo recommended related
  share sharing sidebar sidenav signup social sphinxsidebar subscribe toc topbar votes`.split(/\s+/),
);
const CONSENT = /cookie|consent|onetrust|gdpr/i;
const EDIT_LINK =
  /^\s*(?:edit|improve|suggest edits?|view|report)\b.{0,20}\b(?:page|git\s?hub|git\s?lab|git|source|edits?)\s*$/i;
const KEPT = new Set([
  'html',
  'body',
  'main',
  'pre',
  'code',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'table',
  'tr',
  'td',
]);
const MAX_NAMES = 500;
/** Larger parts are the page itself, whatever their names say. */
const MAX_SHARE = 0.5;

interface ContentOptions {
  readonly cut?: TemplateCut;
  readonly rules?: BlockRules;
  /** Whether to return the blocks of the page. */
  readonly hasLedger?: boolean;
}

interface PageContent extends CutPage {
  readonly html: string;
  /** All blocks of the page in reading order, if they were asked for. */
  readonly ledger: readonly CutBlock[];
}

/**
 * Cuts a page down to its content, as HTML for the loader. Like the loader it drops landmarks (`nav`, `footer`, roles),
 * hidden elements and all around `main`; before, it drops the parts that sites mark by class or id only, links to edit
 * the page, and, on pages without `main`, groups of links. Then it drops the blocks that are known to recur on the site.
 * It changes the tree.
 *
 * It was measured with the loader behind it on the ten made-up pages of `test/helpers/sources/page-samples.ts`, and
 * on the 130 real pages of Mozilla's readability with the words of its own expected results:
 *
 * | content | wanted texts | texts of the site left | real pages: recall | precision | ms a page |
 * | --- | --- | --- | --- | --- | --- |
 * | the whole page | 42 of 42 | 25 of 37 | .999 | .882 | 0 |
 * | readability 0.6.0 on linkedom | 39 | 4 | .974 | .989 | 36 |
 * | `main` or `article`, else readability | 40 | 11 | .989 | .928 | 3 |
 * | these rules | 42 | 1 | .997 | .928 | 6 |
 * | these rules, then readability without `main` | 40 | 0 | .987 | .950 | 9 |
 *
 * Readability gives the same on jsdom, where it takes ten times as long or more. It loses short answers (questions in `details`,
 * opening hours), and an answer that is lost costs more than a line too many: the rules stay alone, without a library.
 *
 * Blocks that only the other pages of a site give away are cut in `template/`. `npm run eval -- pages` measures both on 512
 * pages of eight sites, beside readability and defuddle.
 */
export function keepMainContent(page: HtmlParent, options: ContentOptions = {}): PageContent {
  const { cut = NO_TEMPLATE, rules = NO_RULES, hasLedger = false } = options;
  const parts = readStructuredData(page);
  openPanels(page);
  removeUnread(page);
  const notes = new CutNotes();
  const body = findElement(page, ({ tagName }) => tagName === 'body');
  const listed = body !== null && (hasLedger || !isWithoutRules(rules)) ? listBlocks(body) : [];
  const describe = () => (hasLedger ? describeBlocks(listed, notes) : []);
  const before = measure(page);
  const length = before.get(page)?.characters ?? 0;
  removeNodes(page, notes, (element) => foreignReason(element, before.get(element) ?? EMPTY, length));
  const after = measure(page);
  if (after.get(page)?.holdsMain === false) removeLinkGroups(page, after, notes);
  const whole = serialize(page);
  if (body === null || !cutLandmarks(body, notes)) {
    return { html: whole, ...cutTemplate(page, NO_TEMPLATE), ledger: describe() };
  }
  const left = cutTemplate(body, { ...cut, isContent: findMainContent(body) !== body, notes });
  const content = findMainContent(body);
  appendStatedParts(content, parts);
  const ruled = applyRules(left, { content, listed, notes, rules });
  return { html: serialize(page), ...ruled, ledger: describe() };
}

/** Notes the language that the headers name on a page that has none. */
export function setLanguage(page: HtmlParent, language: string | null): void {
  for (const node of page.childNodes) {
    const isRoot = isElement(node) && getAttribute(node, 'lang') === null;
    if (isRoot && language !== null) node.attrs.push({ name: 'lang', value: language });
  }
}

/** Cuts what the loader would leave out, so that a new menu changes no document. False if nothing would be left. */
function cutLandmarks(body: HtmlParent, notes: CutNotes): boolean {
  const { size } = notes;
  pruneTree(body, { keepLandmarks: false, onCut: (element, reason) => notes.note(element, reason) });
  if (countTextCharacters(body) === 0) {
    notes.forgetAfter(size);
    return false;
  }
  const main = findMainContent(body);
  if (main !== body && 'tagName' in main) {
    body.childNodes = [main];
    notes.limitTo(main);
  }
  return true;
}

/** The content under a node. It is measured once for all nodes, because a deep page would be measured again at each level. */
interface Measure {
  characters: number;
  links: number;
  linkCharacters: number;
  holdsMain: boolean;
  holdsTitle: boolean;
}

type Measures = ReadonlyMap<HtmlParent, Measure>;

const EMPTY: Measure = { characters: 0, links: 0, linkCharacters: 0, holdsMain: false, holdsTitle: false };

function measure(page: HtmlParent): Measures {
  const measures = new Map<HtmlParent, Measure>();
  const visit = (parent: HtmlParent): Measure => {
    const sum = { ...EMPTY };
    for (const node of parent.childNodes) {
      if ('value' in node) sum.characters += node.value.trim().length;
      else if (isElement(node)) addChild(sum, node, visit(node));
    }
    measures.set(parent, sum);
    return sum;
  };
  visit(page);
  return measures;
}

function addChild(sum: Measure, child: HtmlElement, inner: Measure): void {
  const isLink = child.tagName === 'a';
  sum.characters += inner.characters;
  sum.links += isLink ? 1 : inner.links;
  sum.linkCharacters += isLink ? inner.characters : inner.linkCharacters;
  sum.holdsMain ||= inner.holdsMain || isMain(child);
  sum.holdsTitle ||= inner.holdsTitle || child.tagName === 'h1';
}

function removeNodes(
  parent: HtmlParent,
  notes: CutNotes,
  reasonFor: (element: HtmlElement) => CutReason | null,
): void {
  parent.childNodes = parent.childNodes.filter((node) => {
    const reason = isElement(node) ? reasonFor(node) : null;
    if (reason !== null) notes.note(node, reason);
    return reason === null;
  });
  for (const node of parent.childNodes) if (isElement(node)) removeNodes(node, notes, reasonFor);
}

function isMain(element: HtmlElement): boolean {
  return element.tagName === 'main' || getAttribute(element, 'role') === 'main';
}

/** Returns why a part belongs to the site; null if it does not, as far as its name tells. */
function foreignReason(element: HtmlElement, inner: Measure, pageLength: number): CutReason | null {
  if (element.tagName === 'a')
    return inner.characters < 80 && EDIT_LINK.test(textUnder(element)) ? 'edit_link' : null;
  if (KEPT.has(element.tagName) || inner.holdsTitle || inner.holdsMain || isMain(element)) return null;
  const names = `${getAttribute(element, 'class') ?? ''} ${getAttribute(element, 'id') ?? ''}`;
  if (!names.slice(0, MAX_NAMES).split(/\s+/).some(isForeignName)) return null;
  // A banner can be longer than a short page.
  if (CONSENT.test(names)) return 'consent';
  return inner.characters < pageLength * MAX_SHARE ? 'site_part' : null;
}

function isForeignName(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]+/);
  const joined = words.join('-');
  return (
    FOREIGN_ENDS.has(words.at(-1) ?? '') ||
    FOREIGN_STARTS.some((start) => joined === start || joined.startsWith(`${start}-`)) ||
    /^(?:cybot|onetrust|usercentrics)/.test(joined)
  );
}

const MIN_LINK_SHARE = 0.9;

/** Removes menus without a name. A page that is nothing else, such as a table of contents, stays. */
function removeLinkGroups(page: HtmlParent, measures: Measures, notes: CutNotes): void {
  const groups = new Set<HtmlElement>();
  let characters = 0;
  const visit = (parent: HtmlParent): void => {
    for (const node of parent.childNodes.filter(isElement)) {
      const inner = measures.get(node) ?? EMPTY;
      if (isLinkGroup(node, inner)) {
        groups.add(node);
        characters += inner.characters;
      } else visit(node);
    }
  };
  visit(page);
  if (characters <= (measures.get(page)?.characters ?? 0) * MAX_SHARE)
    removeNodes(page, notes, (node) => (groups.has(node) ? 'menu' : null));
}

function isLinkGroup({ tagName }: HtmlElement, { characters, links, linkCharacters }: Measure): boolean {
  return (
    (tagName === 'div' || tagName === 'ul') && links > 1 && linkCharacters >= characters * MIN_LINK_SHARE
  );
}

/** Returns the text under an element, with the spaces of its source. */
export function textUnder(node: HtmlParent | HtmlParent['childNodes'][number]): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textUnder).join('') : '';
}
