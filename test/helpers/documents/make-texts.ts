import { makeArchive } from './make-archive.ts';

const MIMETYPE = 'application/vnd.oasis.opendocument.text';

/** An OpenDocument text around a body and styles in their own XML. */
export function makeOdt(
  body: string,
  styles = '',
  others: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Uint8Array> {
  return makeArchive({
    mimetype: MIMETYPE,
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="m"/>',
    'content.xml': `<?xml version="1.0"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...others,
  });
}

interface BookPage {
  readonly xhtml: string;
  /** The properties of the manifest item, such as `nav`. */
  readonly properties?: string;
}

/** A book whose spine has the pages in the order given. */
export function makeEpub(
  pages: Readonly<Record<string, BookPage>>,
  title: string,
  others: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Uint8Array> {
  const names = Object.keys(pages);
  const items = names.map(
    (name, index) =>
      `<item id="p${index}" href="text/${encodeURIComponent(name)}" media-type="application/xhtml+xml" properties="${pages[name]?.properties ?? ''}"/>`,
  );
  return makeArchive({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><metadata><dc:title>${title}</dc:title></metadata><manifest>${items.sort().reverse().join('')}</manifest><spine>${names.map((_, index) => `<itemref idref="p${index}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(Object.entries(pages).map(([name, { xhtml }]) => [`OEBPS/text/${name}`, xhtml])),
    ...others,
  });
}
