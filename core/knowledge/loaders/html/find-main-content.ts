import { attribute, findElement, type HtmlElement, type HtmlParent } from './parse-html.ts';
import { textLength } from './text-length.ts';

/** A `main` with less of the page's text than this is a shell that scripts would fill, or marks up something else. */
const MIN_SHARE = 0.25;

/** The part of a pruned page that holds what it is about: its main element, its only article, or all of it. */
export function findMainContent(page: HtmlParent): HtmlParent {
  const candidate = findElement(page, isMain) ?? onlyArticle(page);
  return candidate !== null && textLength(candidate) >= textLength(page) * MIN_SHARE ? candidate : page;
}

function isMain(element: HtmlElement): boolean {
  return element.tagName === 'main' || attribute(element, 'role') === 'main';
}

function onlyArticle(page: HtmlParent): HtmlElement | null {
  const articles: HtmlElement[] = [];
  findElement(page, (element) => {
    if (element.tagName === 'article') articles.push(element);
    return articles.length > 1;
  });
  const [article, other] = articles;
  return article !== undefined && other === undefined ? article : null;
}
