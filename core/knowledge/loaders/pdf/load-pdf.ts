import { getDocumentProxy } from 'unpdf';
import { DocumentError } from '../../documents/document-error.ts';
import { BlockCollector } from '../block-collector.ts';
import {
  type LoadedDocument,
  type LoadingLimits,
  PicturesFound,
  type RecognisedPages,
  type Recognition,
  requireReadableText,
} from '../loader.ts';
import { detectTitle, parseStatedTitle } from '../metadata.ts';
import { collectGroups, headingLevels } from './collect-groups.ts';
import { addFieldValues } from './form-fields.ts';
import { groupLines, measurePageStyle } from './group-lines.ts';
import { type PdfLine, pageLines, removeRunningLines } from './page-lines.ts';
import { recognisedLines } from './recognised-lines.ts';
import { splitColumns } from './split-columns.ts';
import { taggedLines } from './tagged-tables.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

interface PdfText {
  readonly pages: readonly (readonly PdfLine[])[];
  readonly monospaceFonts: ReadonlySet<string>;
}

const ERRORS_ONLY = 0;

/**
 * Reads the text layer of a PDF, and the recognised text of pages that have none. Rejects with a DocumentError or with
 * PicturesFound.
 */
export async function loadPdf(
  bytes: Uint8Array,
  limits: LoadingLimits,
  recognition: Recognition = null,
): Promise<LoadedDocument> {
  const pdf = await openPdf(bytes);
  try {
    if (pdf.numPages > limits.maxPdfPages) {
      throw new DocumentError('too_many_pages', `${limits.maxPdfPages.toLocaleString('en')} pages`);
    }
    const text = await readPages(pdf, limits);
    const recognised = recognition === null ? text : addRecognised(text, recognition);
    return buildDocument(recognised, await propertyTitle(pdf), limits);
  } finally {
    await pdf.destroy();
  }
}

/** Reads the recognised text of a picture, which has several pages in TIFF. Throws a DocumentError. */
export function loadPicture(recognised: RecognisedPages, limits: LoadingLimits): LoadedDocument {
  const pages = [...recognised.values()].flatMap((tsv) => recognisedLines(tsv));
  if (pages.flat().length === 0) throw new DocumentError('no_text');
  const numbered = pages.map((lines, page) => lines.map((line) => ({ ...line, page })));
  return buildDocument({ pages: numbered, monospaceFonts: new Set() }, null, limits);
}

/** A page with fewer letters and digits is a picture with a page number or a stamp. */
const MIN_PAGE_CHARACTERS = 10;

function addRecognised({ pages, monospaceFonts }: PdfText, recognition: 'wanted' | RecognisedPages): PdfText {
  const pictures = pages.flatMap((lines, page) => {
    const characters = lines.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
    return characters < MIN_PAGE_CHARACTERS ? [page] : [];
  });
  if (pictures.length === 0) return { pages, monospaceFonts };
  if (recognition === 'wanted') throw new PicturesFound('pdf', pictures);
  const found = new Map(
    pictures.map((page) => [page, recognisedLines(recognition.get(page) ?? '').flat()] as const),
  );
  const all = pages.map((lines, page) => {
    const read = found.get(page) ?? [];
    return read.length === 0 ? lines : read.map((line) => ({ ...line, page }));
  });
  if (all.flat().length === 0) throw new DocumentError('no_text');
  return { pages: all, monospaceFonts };
}

/** The PDF library transfers the buffer away, so it gets a copy. */
async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: ERRORS_ONLY });
  } catch (cause) {
    const encrypted = cause instanceof Error && cause.name === 'PasswordException';
    throw new DocumentError(encrypted ? 'encrypted_file' : 'corrupt_file', 'This PDF', { cause });
  }
}

async function readPages(pdf: PdfDocument, limits: LoadingLimits): Promise<PdfText> {
  const pages: (readonly PdfLine[])[] = [];
  const monospaceFonts = new Set<string>();
  const { info } = await pdf.getMetadata();
  const features = {
    isTagged: (await pdf.getMarkInfo())?.Marked === true,
    hasForm: 'IsAcroFormPresent' in info && info.IsAcroFormPresent === true,
  };
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { lines, styles } = await readPage(page, number - 1, features);
    for (const [font, { fontFamily }] of Object.entries(styles))
      if (fontFamily === 'monospace') monospaceFonts.add(font);
    pages.push(lines);
    characters += lines.reduce((sum, line) => sum + line.text.length, 0);
    requireReadableText(characters, limits);
    page.cleanup();
  }
  return { pages, monospaceFonts };
}

type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

interface PdfFeatures {
  readonly isTagged: boolean;
  readonly hasForm: boolean;
}

async function readPage(page: PdfPage, index: number, { isTagged, hasForm }: PdfFeatures) {
  const { items, styles } = await page.getTextContent({ includeMarkedContent: isTagged });
  const tagged = isTagged ? taggedLines(items, await page.getStructTree(), index) : null;
  const printed =
    tagged ??
    pageLines(
      items.filter((item) => 'str' in item),
      index,
    );
  const lines = splitColumns(printed);
  return { styles, lines: hasForm ? addFieldValues(lines, await page.getAnnotations(), index) : lines };
}

function buildDocument(
  { pages, monospaceFonts }: PdfText,
  statedTitle: string | null,
  limits: LoadingLimits,
): LoadedDocument {
  const lines = removeRunningLines(pages);
  if (!lines.some((line) => /[\p{L}\p{N}]/u.test(line.text))) {
    throw new DocumentError('no_text_layer', 'This PDF holds pictures of pages');
  }
  const style = measurePageStyle(lines, monospaceFonts);
  const groups = groupLines(lines, style);
  const collector = new BlockCollector(limits);
  collectGroups(groups, headingLevels(groups, style), collector);
  const document = detectTitle(collector, { title: null, url: null });
  return document.title === null ? { ...document, title: statedTitle } : document;
}

/** Used only if the text has no title: properties are often left over from a template. */
async function propertyTitle(pdf: PdfDocument): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  return 'Title' in info ? parseStatedTitle(info.Title) : null;
}
