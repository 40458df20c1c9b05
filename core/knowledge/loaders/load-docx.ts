import mammoth from 'mammoth';
import { DocumentError } from '../documents/document-error.ts';
import { BlockCollector } from './block-collector.ts';
import { findElement, getAttribute, parseHtml, pruneTree } from './html/parse-html.ts';
import { collectBlocks, renderLines } from './html/walk-blocks.ts';
import type { LoadedDocument, LoadingLimits } from './loader.ts';
import { detectTitle, parseStatedTitle } from './metadata.ts';
import { findHidingStyles, withoutHiddenRuns } from './office/hidden-runs.ts';
import { unpackArchive } from './zip-archive.ts';

const TITLE_CLASS = 'document-title';
const STYLES = [`p[style-name='Title'] => p.${TITLE_CLASS}:fresh`];

/** Reads a Word document. Rejects with a DocumentError. */
export async function loadDocx(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const parts = await unpackArchive(bytes, {
    wanted: (name) => /\.(?:xml|rels)$/.test(name),
    maxBytes: limits.maxUnpackedBytes,
  });
  const page = parseHtml(await convertToHtml(withVisibleText(parts)));
  pruneTree(page, { keepLandmarks: true });
  const title = findElement(page, (element) => getAttribute(element, 'class') === TITLE_CLASS);
  if (title?.parentNode)
    title.parentNode.childNodes = title.parentNode.childNodes.filter((node) => node !== title);
  const collector = new BlockCollector(limits);
  collectBlocks(page, collector);
  const document = detectTitle(collector, {
    title: title === null ? null : renderLines(title).join(' '),
    url: null,
  });
  return document.title === null ? { ...document, title: propertyTitle(parts) } : document;
}

const TEXT_PART = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/;

/** The library reads hidden text as any other. */
function withVisibleText(parts: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
  const hidingStyles = findHidingStyles(decode(parts.get('word/styles.xml')));
  return new Map(
    [...parts].map(([name, bytes]) => [
      name,
      TEXT_PART.test(name) ? Buffer.from(withoutHiddenRuns(decode(bytes), hidingStyles)) : bytes,
    ]),
  );
}

/** Used only if the text has no title: properties are often left over from a template. */
function propertyTitle(parts: ReadonlyMap<string, Uint8Array>): string | null {
  const properties = new TextDecoder().decode(parts.get('docProps/core.xml'));
  const title = findElement(parseHtml(properties), ({ tagName }) => tagName === 'dc:title');
  return title === null ? null : parseStatedTitle(renderLines(title).join(' '));
}

/**
 * Hands mammoth the checked parts instead of the archive, so that it cannot read it differently than the check. Its types
 * do not name `file`, which it takes if there is neither a path nor a buffer.
 */
async function convertToHtml(parts: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const file = {
    exists: (name: string) => parts.has(name),
    async read(name: string, encoding?: BufferEncoding) {
      const content = Buffer.from(parts.get(name) ?? []);
      return encoding === undefined ? content : content.toString(encoding);
    },
  };
  const input = { path: '', file };
  try {
    const { value } = await mammoth.convertToHtml(input, {
      styleMap: STYLES,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    });
    return value;
  } catch (cause) {
    throw new DocumentError('corrupt_file', 'This Word document', { cause });
  }
}
