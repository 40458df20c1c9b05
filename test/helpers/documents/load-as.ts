import { readFileSync } from 'node:fs';
import { loadDocument } from '../../../core/knowledge/loaders/load-document.ts';
import type { LoadedDocument } from '../../../core/knowledge/loaders/loader.ts';
import { DEFAULT_LOADING_LIMITS, type LoadingLimits } from '../../../core/knowledge/loaders/loader.ts';

interface Declared {
  readonly fileName?: string;
  readonly contentType?: string;
}

/** Loads text or bytes as a file with a declared type. */
export function loadAs(
  declared: Declared,
  content: string | Uint8Array,
  limits: Partial<LoadingLimits> = {},
): Promise<LoadedDocument> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const source = { bytes, fileName: declared.fileName ?? null, contentType: declared.contentType ?? null };
  return loadDocument(source, { ...DEFAULT_LOADING_LIMITS, ...limits });
}

/** The bytes of a file in test/fixtures/documents. */
export function documentFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../fixtures/documents/${name}`, import.meta.url)));
}
