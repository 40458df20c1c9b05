import { basename, extname } from 'node:path';
import { CURATED_TYPE } from '../curated/curated-answer.ts';
import type { DocumentSource } from './loader.ts';

export type TextFormat =
  | ('text' | 'markdown' | 'html' | 'csv' | 'eml')
  | ('rst' | 'asciidoc' | 'notebook' | 'json' | 'yaml' | 'curated');
export type BinaryFormat =
  | ('pdf' | 'docx' | 'xlsx' | 'pptx' | 'epub' | 'odt' | 'ods' | 'odp')
  | ('rtf' | 'image');
export type DocumentFormat = TextFormat | BinaryFormat;

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const BY_MEDIA_TYPE: Readonly<Record<string, DocumentFormat>> = {
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  [`${OFFICE}.wordprocessingml.document`]: 'docx',
  [`${OFFICE}.spreadsheetml.sheet`]: 'xlsx',
  'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsx',
  [`${OFFICE}.presentationml.presentation`]: 'pptx',
  [`${OFFICE}.presentationml.slideshow`]: 'pptx',
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  [CURATED_TYPE]: 'curated',
  'application/x-ipynb+json': 'notebook',
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
  'text/x-rst': 'rst',
  'text/asciidoc': 'asciidoc',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'message/rfc822': 'eml',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/tiff': 'image',
  'image/webp': 'image',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/csv': 'csv',
};
const BY_EXTENSION: Readonly<Record<string, DocumentFormat>> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.docm': 'docx',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
  '.pptx': 'pptx',
  '.pptm': 'pptx',
  '.ppsx': 'pptx',
  '.epub': 'epub',
  '.odt': 'odt',
  '.ods': 'ods',
  '.odp': 'odp',
  '.rst': 'rst',
  '.adoc': 'asciidoc',
  '.asciidoc': 'asciidoc',
  '.ipynb': 'notebook',
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.rtf': 'rtf',
  '.eml': 'eml',
  '.png': 'image',
  '.jpg': 'image',
  '.jpeg': 'image',
  '.tif': 'image',
  '.tiff': 'image',
  '.webp': 'image',
  '.md': 'markdown',
  '.mdx': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'text',
  '.text': 'text',
};

/**
 * Returns the format that the sender declares, or null. A specific media type takes precedence over the file name.
 * Generic ones (`text/plain`, `application/octet-stream`) and unknown ones do not, because clients send them for any
 * file.
 */
export function declaredFormat(source: DocumentSource): DocumentFormat | null {
  const mediaType = source.contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const extension = extname(source.fileName ?? '').toLowerCase();
  const byName = BY_EXTENSION[extension] ?? null;
  // Servers send notebooks as JSON.
  if (byName === 'notebook' && mediaType === 'application/json') return byName;
  return BY_MEDIA_TYPE[mediaType] ?? byName ?? (mediaType === 'text/plain' ? 'text' : null);
}

const API_DESCRIPTION = /openapi|swagger/i;

/**
 * Returns whether a file that a source lists is read, by its declared format. Pictures are not: most belong to a page, and
 * few hold an answer. Nor are JSON and YAML, which in folders and buckets are settings and may hold secrets, unless the
 * name says that they describe an API.
 */
export function isListedDocument(contentType: string | null, fileName: string): boolean {
  const format = declaredFormat({ bytes: new Uint8Array(), contentType, fileName });
  if (format === 'json' || format === 'yaml') return API_DESCRIPTION.test(basename(fileName));
  return format !== null && format !== 'image';
}

const OLD_OFFICE = /\.(?:doc|dot|xls|xlt|ppt|pps|pot)$/i;

/** Returns why a file that a source lists is not read. All old Office files of a source have the same reason. */
export function unreadableReason(fileName: string): { readonly code: string; readonly reason: string } {
  if (OLD_OFFICE.test(fileName)) {
    const reason = 'Old Office files (.doc, .xls, .ppt) cannot be read. Save them as .docx, .xlsx or .pptx.';
    return { code: 'old_office_format', reason };
  }
  const extension = extname(fileName);
  const what = extension === '' ? 'without an extension' : `with the extension ${extension}`;
  return { code: 'unknown_format', reason: `Files ${what} cannot be read.` };
}

/** Returns the encoding in the media type (`text/html; charset=shift_jis`), or null. */
export function declaredEncoding(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '')?.[1] ?? null;
}
