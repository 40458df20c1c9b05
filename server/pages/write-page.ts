import { createHash } from 'node:crypto';
import { defaultTreeAdapter, serialize } from 'parse5';
import { type Element, element } from './element.ts';

interface Page {
  readonly title: string;
  readonly body: readonly Element[];
}

interface WrittenPage {
  readonly html: string;
  /** Lets the page look as it is to look, and nothing else. */
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

/** A page of a few words. */
export function writePage({ title, body }: Page): WrittenPage {
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
