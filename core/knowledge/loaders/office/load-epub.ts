import { posix } from 'node:path';
import { DocumentError } from '../../documents/document-error.ts';
import { BlockCollector } from '../block-collector.ts';
import { decodeText } from '../decode-text.ts';
import { parseHtml, pruneTree } from '../html/parse-html.ts';
import { collectBlocks } from '../html/walk-blocks.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle, parseStatedTitle } from '../metadata.ts';
import { unpackArchive } from '../zip-archive.ts';
import { PackageParts, resolvePath } from './package-parts.ts';
import { elementsOf, findAll, findChild, textOf, type XmlElement } from './read-xml.ts';

const WHAT = 'This EPUB book';
const PAGES = new Set(['application/xhtml+xml', 'text/html', 'application/x-dtbook+xml']);
/** Fonts are obfuscated by these; anything else protects the text. */
const FONT_OBFUSCATION = /(?:idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/** Reads a book: its pages in the order of the spine, without the table of contents. Rejects with a DocumentError. */
export async function loadEpub(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const parts = await PackageParts.unpack(bytes, WHAT, limits, (name) => /^META-INF\/|\.opf$/i.test(name));
  refuseProtected(parts);
  const [rootFile] = findAll(parts.require('META-INF/container.xml'), 'rootfile');
  const path = resolvePath('', rootFile?.attributes['full-path'] ?? '');
  const book = parts.require(path);
  const paths = spinePaths(book, posix.dirname(path));
  const pages = await unpackArchive(bytes, {
    wanted: (name) => paths.has(name),
    maxBytes: limits.maxUnpackedBytes,
  });
  const collector = new BlockCollector(limits);
  for (const page of paths) {
    const content = pages.get(page);
    if (content !== undefined) collectPage(decodeText(content, null), collector);
  }
  const title = findAll(findChild(book, 'metadata'), 'title')[0] ?? null;
  return detectTitle(collector, { title: parseStatedTitle(textOf(title)), url: null });
}

function refuseProtected(parts: PackageParts): void {
  const methods = findAll(parts.parse('META-INF/encryption.xml'), 'EncryptionMethod');
  if (methods.some(({ attributes: { Algorithm = '' } }) => !FONT_OBFUSCATION.test(Algorithm)))
    throw new DocumentError('encrypted_file', WHAT);
}

/** Returns the paths of the pages in reading order. */
function spinePaths(book: XmlElement, folder: string): ReadonlySet<string> {
  const items = new Map(
    elementsOf(findChild(book, 'manifest'), 'item').map(({ attributes }) => [
      attributes.id ?? '',
      attributes,
    ]),
  );
  const paths = elementsOf(findChild(book, 'spine'), 'itemref').flatMap(({ attributes: { idref = '' } }) => {
    const item = items.get(idref);
    const isContents = item?.properties?.split(/\s+/).includes('nav') === true;
    if (item === undefined || isContents || !PAGES.has(item['media-type'] ?? '')) return [];
    return [resolvePath(folder, decodePath(item.href ?? ''))];
  });
  return new Set(paths);
}

function decodePath(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch (error) {
    if (error instanceof URIError) return reference;
    throw error;
  }
}

/** In XHTML any element can close itself; in HTML an open `title` or `script` would hide what follows. */
const SELF_CLOSED =
  /<((?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)[\s/>])[a-z][\w-]*)((?:\s[^<>]*)?)\/>/gi;

function collectPage(xhtml: string, collector: BlockCollector): void {
  const page = parseHtml(xhtml.replace(SELF_CLOSED, '<$1$2></$1>'));
  pruneTree(page, { keepLandmarks: true });
  collectBlocks(page, collector);
}
