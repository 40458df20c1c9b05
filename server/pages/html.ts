import { createHash } from 'node:crypto';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, serialize } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;

/** Creates an element of a page. Attributes and texts are escaped. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly (Element | string)[],
): Element {
  const attrs = Object.entries(attributes).map(([key, value]) => ({ name: key, value }));
  const created = defaultTreeAdapter.createElement(name, html.NS.HTML, attrs);
  for (const child of children) {
    if (typeof child === 'string') defaultTreeAdapter.insertText(created, child);
    else defaultTreeAdapter.appendChild(created, child);
  }
  return created;
}

interface PageDocument {
  readonly title: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Attributes of the root element. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Elements in addition to the title and those of every page. */
  readonly head: readonly Element[];
  /** The style. It is inlined without escaping, so it must not contain user input. */
  readonly style: string;
  /** The nonce of the inline style, for policies that name it instead of the hash. */
  readonly nonce?: string;
  readonly body: readonly Element[];
}

interface RenderedDocument {
  readonly html: string;
  /** The hash of the inline style, for the content security policy. */
  readonly styleSource: string;
}

/** Renders a complete page. Attributes and texts are escaped. */
export function renderDocument({
  title,
  language,
  direction,
  attributes = {},
  head,
  style,
  nonce,
  body,
}: PageDocument): RenderedDocument {
  const top = element('head', {}, [
    element('meta', { charset: 'utf-8' }, []),
    element(
      'meta',
      { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
      [],
    ),
    element('title', {}, [title]),
    element('style', nonce === undefined ? {} : { nonce }, [style]),
    ...head,
  ]);
  const root = element('html', { lang: language, dir: direction, ...attributes }, [
    top,
    element('body', {}, body),
  ]);
  const document = defaultTreeAdapter.createDocument();
  defaultTreeAdapter.setDocumentType(document, 'html', '', '');
  defaultTreeAdapter.appendChild(document, root);
  return {
    html: serialize(document),
    styleSource: `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  };
}

interface Page {
  readonly title: string;
  readonly body: readonly Element[];
}

interface RenderedPage {
  readonly html: string;
  /** Allows the inline style and nothing else. */
  readonly contentSecurityPolicy: string;
}

const style = `
:root { color-scheme: light dark; }
body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.375rem; }
`;
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${styleHash}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders a page with a short message. */
export function renderNoticePage({ title, body }: Page): RenderedPage {
  const head = element('head', {}, [
    element('meta', { charset: 'utf-8' }, []),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }, []),
    element('title', {}, [title]),
    element('style', {}, [style]),
  ]);
  const main = element('main', {}, [element('h1', {}, [title]), ...body]);
  const document = defaultTreeAdapter.createDocument();
  defaultTreeAdapter.setDocumentType(document, 'html', '', '');
  defaultTreeAdapter.appendChild(
    document,
    element('html', { lang: 'en' }, [head, element('body', {}, [main])]),
  );
  return { html: serialize(document), contentSecurityPolicy };
}
