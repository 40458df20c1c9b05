import { DocumentError } from '../document-error.ts';
import { declaredEncoding, declaredFormat } from './declared-format.ts';
import { decodeText } from './decode-text.ts';
import { detectContainer, detectTextFormat, type TextFormat } from './detect-format.ts';
import { loadHtml } from './html/load-html.ts';
import { loadCsv } from './load-csv.ts';
import { loadMarkdown } from './load-markdown.ts';
import { loadText } from './load-text.ts';
import type { DocumentSource, LoadedDocument } from './loader.ts';
import { DEFAULT_LOADING_LIMITS, type LoadingLimits, requireReadableSize } from './loader.ts';

const TEXT_LOADERS: Readonly<Record<TextFormat, (text: string, limits: LoadingLimits) => LoadedDocument>> = {
  text: loadText,
  markdown: loadMarkdown,
  html: loadHtml,
  csv: loadCsv,
};

/**
 * Reads a file in the format of its bytes; name and media type only decide between text dialects. Any content that
 * cannot be read rejects with a DocumentError. Read untrusted files through a DocumentReader, which also limits time
 * and memory.
 */
export async function loadDocument(
  source: DocumentSource,
  limits: LoadingLimits = DEFAULT_LOADING_LIMITS,
): Promise<LoadedDocument> {
  try {
    return await load(source, limits);
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    if (cause instanceof RangeError) {
      throw new DocumentError(
        /call stack/.test(cause.message) ? 'nested_too_deeply' : 'out_of_memory',
        undefined,
        { cause },
      );
    }
    throw new DocumentError('corrupt_file', 'The file', { cause });
  }
}

async function load(source: DocumentSource, limits: LoadingLimits): Promise<LoadedDocument> {
  const { bytes } = source;
  requireReadableSize(bytes, limits);
  const container = await detectContainer(bytes);
  // The PDF and Word libraries take long to load, so they are imported with the first file that needs them.
  if (container === 'pdf') return (await import('./pdf/load-pdf.ts')).loadPdf(bytes, limits);
  if (container === 'docx') return (await import('./load-docx.ts')).loadDocx(bytes, limits);
  const text = decodeText(bytes, declaredEncoding(source.contentType));
  return TEXT_LOADERS[detectTextFormat(text, declaredFormat(source))](text, limits);
}
