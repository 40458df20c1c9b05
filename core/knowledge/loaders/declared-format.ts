import { extname } from 'node:path';
import type { DocumentSource } from './loader.ts';

export type DocumentFormat = 'text' | 'markdown' | 'html' | 'csv' | 'pdf' | 'docx';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const BY_MEDIA_TYPE: Readonly<Record<string, DocumentFormat>> = {
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  [DOCX]: 'docx',
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
  return BY_MEDIA_TYPE[mediaType] ?? byName ?? (mediaType === 'text/plain' ? 'text' : null);
}

/** Returns the encoding in the media type (`text/html; charset=shift_jis`), or null. */
export function declaredEncoding(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '')?.[1] ?? null;
}
