import { webAddress } from '../web-address.ts';
import { attribute, findElement, type HtmlElement, type HtmlParent } from './parse-html.ts';

/** What a page's head says about it. To be read before the page is pruned. */
export function pageMetadata(page: HtmlParent): {
  readonly title: string | null;
  readonly url: string | null;
} {
  const titleElement = findElement(
    page,
    ({ tagName, namespaceURI }) => tagName === 'title' && /xhtml$/.test(namespaceURI),
  );
  const titleText = titleElement?.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
  const canonical = findElement(
    page,
    (element) => element.tagName === 'link' && attribute(element, 'rel') === 'canonical',
  );
  return {
    title: titleText?.trim() || metaContent(page, 'og:title'),
    url:
      webAddress(canonical === null ? null : attribute(canonical, 'href')) ??
      webAddress(metaContent(page, 'og:url')),
  };
}

function metaContent(page: HtmlParent, property: string): string | null {
  const named = (element: HtmlElement): boolean =>
    element.tagName === 'meta' &&
    [attribute(element, 'property'), attribute(element, 'name')].includes(property);
  const meta = findElement(page, named);
  return meta === null ? null : attribute(meta, 'content')?.trim() || null;
}
