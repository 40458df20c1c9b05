import { getAttribute, type HtmlElement, type HtmlNode, type HtmlParent } from './parse-html.ts';

/** Longer texts are judged by their beginning, so that nested parts do not cost the square of the page. */
const MAX_SAMPLE = 4_000;
const MAX_NODES = 2_000;
const MAX_NAMES = 500;

const CHROME_WORDS = new Set(
  `banner captcha cart checkout consent cookie cookies country currency dropdown flyout gdpr lang language languages locale
  login menu mobile nav navbar navigation newsletter onetrust offcanvas register search share sharing signin signup
  spinner subscribe toast tooltip`.split(/\s+/),
);
const CHROME_ELEMENTS = new Set(['nav', 'footer', 'form', 'menu']);
const MAX_LINK_SHARE = 0.6;

/** Returns the beginning of the text under a node, with single spaces. */
export function sampleText(root: HtmlParent): string {
  let nodes = 0;
  let text = '';
  const visit = (node: HtmlNode): void => {
    nodes += 1;
    if (nodes > MAX_NODES || text.length > MAX_SAMPLE) return;
    if ('value' in node) text += node.value;
    else if ('childNodes' in node && node.nodeName !== 'script' && node.nodeName !== 'style') {
      for (const child of node.childNodes) visit(child);
      if (isBlock(node.nodeName)) text += ' ';
    }
  };
  for (const child of root.childNodes) visit(child);
  return text.slice(0, MAX_SAMPLE).replace(/\s+/g, ' ').trim();
}

function isBlock(name: string): boolean {
  return name === 'div' || name === 'p' || name === 'li' || name === 'td' || name === 'br';
}

/** Counts words; of scripts that put no spaces between them, two characters are taken for one. */
export function wordCount(text: string): number {
  const dense =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) + Math.floor(dense / 2);
}

export function hasSentence(text: string): boolean {
  return /[.!?:;…。！？؟।](?:\s|["”’»)]|$|[^\x20-\x7e])/u.test(text);
}

/** True for menus, cookie banners, forms and the like, by the names of the element. */
export function isChrome(element: HtmlElement): boolean {
  const role = getAttribute(element, 'role') ?? '';
  if (CHROME_ELEMENTS.has(element.tagName) || /^(?:menu|menubar|navigation|search|listbox|tree)$/.test(role))
    return true;
  return namesOf(element).some((word) => CHROME_WORDS.has(word));
}

/** Returns the words in the class and the id of an element, in lower case. */
export function namesOf(element: HtmlElement): readonly string[] {
  const names = `${getAttribute(element, 'class') ?? ''} ${getAttribute(element, 'id') ?? ''}`;
  return names
    .slice(0, MAX_NAMES)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

export function isMostlyLinks(element: HtmlElement): boolean {
  let nodes = 0;
  let all = 0;
  let linked = 0;
  const visit = (node: HtmlNode, inLink: boolean): void => {
    nodes += 1;
    if (nodes > MAX_NODES) return;
    if ('value' in node) {
      const { length } = node.value.trim();
      all += length;
      if (inLink) linked += length;
    } else if ('childNodes' in node) {
      for (const child of node.childNodes) visit(child, inLink || node.nodeName === 'a');
    }
  };
  visit(element, false);
  return all > 0 && linked / all >= MAX_LINK_SHARE;
}

export function parentElement({ parentNode }: HtmlElement): HtmlElement | null {
  return parentNode !== null && 'tagName' in parentNode ? parentNode : null;
}
