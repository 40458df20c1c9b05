import type { Resource } from '@modelcontextprotocol/sdk/types.js';
import type { ReadableDocument } from '../../core/knowledge/readable-documents.ts';
import { documentUri } from './document-uri.ts';

export function presentResource({ id, title, url, updatedAt }: ReadableDocument, mimeType: string): Resource {
  return {
    uri: documentUri(id),
    name: title,
    title,
    description: url === null ? 'A document of the knowledge base.' : `The text of ${url}.`,
    mimeType,
    annotations: { lastModified: updatedAt.toISOString() },
  };
}
