import type { Resource } from '@modelcontextprotocol/sdk/types.js';
import type { PublicDocument } from '../../core/knowledge/public-documents.ts';
import { documentUri } from './document-uri.ts';

export function presentResource({ id, title, url, updatedAt }: PublicDocument, mimeType: string): Resource {
  return {
    uri: documentUri(id),
    name: title,
    title,
    description: url === null ? 'A document of the knowledge base.' : `The text of ${url}.`,
    mimeType,
    annotations: { lastModified: updatedAt.toISOString() },
  };
}
