import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { FastifyBaseLogger } from 'fastify';
import type { CursorSeal } from '../../core/cursor.ts';
import type { ReadableDocuments } from '../../core/knowledge/readable-documents.ts';
import { documentUri } from './document-uri.ts';
import { presentResource } from './present-resource.ts';
import { resourceError } from './resource-error.ts';

interface Dependencies {
  readonly documents: ReadableDocuments;
  readonly workspaceId: string;
  readonly cursors: CursorSeal;
  readonly log: FastifyBaseLogger;
}

const pageSize = 50;
const mimeType = 'text/markdown';
const documentId = /^parley:\/\/documents\/(doc_\w{1,100})$/;

/** The documents that the caller may read, as resources: listed by pages, read one by one. */
export function addDocuments({ server }: McpServer, dependencies: Dependencies): void {
  const { documents, workspaceId, cursors, log } = dependencies;
  server.registerCapabilities({ resources: {} });
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    try {
      const cursor = params?.cursor === undefined ? undefined : cursors.open(params.cursor);
      const page = await documents.list(workspaceId, { limit: pageSize, cursor });
      const resources = page.items.map((document) => presentResource(document, mimeType));
      return {
        resources,
        ...(page.nextCursor === null ? {} : { nextCursor: cursors.seal(page.nextCursor) }),
      };
    } catch (error) {
      throw resourceError(error, log);
    }
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [
      {
        name: 'document',
        title: 'A document',
        description: 'The text of a document, by the id that sources and search results name.',
        uriTemplate: documentUri('{document_id}'),
        mimeType,
      },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      const { text } = await documents.read(workspaceId, documentId.exec(uri)?.[1] ?? '');
      return { contents: [{ uri, mimeType, text }] };
    } catch (error) {
      throw resourceError(error, log);
    }
  });
}
