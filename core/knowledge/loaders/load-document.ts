import { DocumentError } from '../documents/document-error.ts';
import { loadCurated } from './data/load-curated.ts';
import { loadJson, loadYaml } from './data/load-data.ts';
import { loadNotebook } from './data/load-notebook.ts';
import { type BinaryFormat, declaredEncoding, declaredFormat, type TextFormat } from './declared-format.ts';
import { decodeText } from './decode-text.ts';
import { detectContainer, detectTextFormat } from './detect-format.ts';
import { loadHtml } from './html/load-html.ts';
import { loadCsv } from './load-csv.ts';
import { loadMarkdown } from './load-markdown.ts';
import { loadText } from './load-text.ts';
import {
  DEFAULT_LOADING_LIMITS,
  type DocumentSource,
  type LoadedDocument,
  type LoadingLimits,
  PicturesFound,
  type Recognition,
  requireReadableSize,
} from './loader.ts';
import { loadAsciidoc } from './markup/load-asciidoc.ts';
import { loadRst } from './markup/load-rst.ts';

const TEXT_LOADERS: Readonly<
  Record<Exclude<TextFormat, 'eml'>, (text: string, limits: LoadingLimits) => LoadedDocument>
> = {
  text: loadText,
  markdown: loadMarkdown,
  html: loadHtml,
  csv: loadCsv,
  rst: loadRst,
  asciidoc: loadAsciidoc,
  notebook: loadNotebook,
  json: loadJson,
  yaml: loadYaml,
  curated: loadCurated,
};

type BinaryLoader = (
  bytes: Uint8Array,
  limits: LoadingLimits,
  recognition: Recognition,
) => Promise<LoadedDocument>;

/** The libraries of these formats take long to load, so they are imported with the first file that needs them. */
const BINARY_LOADERS: Readonly<Record<BinaryFormat, BinaryLoader>> = {
  pdf: async (...file) => (await import('./pdf/load-pdf.ts')).loadPdf(...file),
  docx: async (bytes, limits) => (await import('./load-docx.ts')).loadDocx(bytes, limits),
  xlsx: async (bytes, limits) => (await import('./office/load-xlsx.ts')).loadXlsx(bytes, limits),
  pptx: async (bytes, limits) => (await import('./office/load-pptx.ts')).loadPptx(bytes, limits),
  epub: async (bytes, limits) => (await import('./office/load-epub.ts')).loadEpub(bytes, limits),
  odt: async (bytes, limits) => (await import('./office/load-odt.ts')).loadOdt(bytes, limits),
  ods: async (bytes, limits) => (await import('./office/load-ods.ts')).loadOds(bytes, limits),
  odp: async (bytes, limits) => (await import('./office/load-odp.ts')).loadOdp(bytes, limits),
  rtf: async (bytes, limits) => (await import('./rtf/load-rtf.ts')).loadRtf(bytes, limits),
  image: async (_bytes, limits, recognition) => {
    if (recognition === null) throw new DocumentError('no_text_layer', 'This file is a picture');
    if (recognition === 'wanted') throw new PicturesFound('image', [0]);
    return (await import('./pdf/load-pdf.ts')).loadPicture(recognition, limits);
  },
};

/**
 * Reads a file in the format of its bytes; name and media type only decide between text dialects. Any content that
 * cannot be read rejects with a DocumentError. Read untrusted files through a DocumentReader, which also limits time
 * and memory.
 */
export async function loadDocument(
  source: DocumentSource,
  limits: LoadingLimits = DEFAULT_LOADING_LIMITS,
  recognition: Recognition = null,
): Promise<LoadedDocument> {
  try {
    return await load(source, limits, recognition);
  } catch (cause) {
    if (cause instanceof DocumentError || cause instanceof PicturesFound) throw cause;
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

async function load(
  source: DocumentSource,
  limits: LoadingLimits,
  recognition: Recognition,
): Promise<LoadedDocument> {
  const { bytes } = source;
  requireReadableSize(bytes, limits);
  const container = await detectContainer(bytes);
  if (container !== 'text') return BINARY_LOADERS[container](bytes, limits, recognition);
  const text = decodeText(bytes, declaredEncoding(source.contentType));
  const format = detectTextFormat(text, declaredFormat(source));
  if (format === 'eml') return (await import('./load-eml.ts')).loadEml(bytes, limits);
  return TEXT_LOADERS[format](text, limits);
}
