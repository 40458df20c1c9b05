import { createHash } from 'node:crypto';
import { defaultTreeAdapter, serialize } from 'parse5';
import { type Element, element } from './element.ts';

interface PageDocument {
  readonly title: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Attributes of the root element. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Beside the title and what every page has. */
  readonly head: readonly Element[];
  /** Written into the page: nobody's text may stand in it. */
  readonly style: string;
  readonly body: readonly Element[];
}

export interface WrittenDocument {
  readonly html: string;
  /** For the policy of its contents: the style that is written into it. */
  readonly styleSource: string;
}

/** A whole page. Whatever texts and attributes hold is written out as text. */
export function writeDocument({
  title,
  language,
  direction,
  attributes = {},
  head,
  style,
  body,
}: PageDocument): WrittenDocument {
  const top = element('head', {}, [
    element('meta', { charset: 'utf-8' }, []),
    element(
      'meta',
      { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
      [],
    ),
    element('title', {}, [title]),
    element('style', {}, [style]),
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
