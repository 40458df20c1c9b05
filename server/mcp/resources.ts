import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../core/base/errors.ts';
import type { CursorSeal } from '../../core/base/pagination.ts';
import type {
  ReadableDocument,
  ReadableDocuments,
} from '../../core/knowledge/documents/readable-documents.ts';

interface Dependencies {
  readonly documents: ReadableDocuments;
  readonly workspaceId: string;
  readonly cursors: CursorSeal;
  readonly log: FastifyBaseLogger;
}

const pageSize = 50;
const mimeType = 'text/markdown';
const documentUriPattern = /^parley:\/\/documents\/((?:doc|cur)_\w{1,100})$/;

/** Registers the documents that the caller may read as resources, listed in pages. */
export function registerResources({ server }: McpServer, dependencies: Dependencies): void {
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
      throw toResourceError(error, log);
    }
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [
      {
        name: 'document',
        title: 'A document',
        description: 'The text of a document, by the id in sources and search results.',
        uriTemplate: documentUri('{document_id}'),
        mimeType,
      },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      const { text } = await documents.read(workspaceId, documentUriPattern.exec(uri)?.[1] ?? '');
      return { contents: [{ uri, mimeType, text }] };
    } catch (error) {
      throw toResourceError(error, log);
    }
  });
}

/** Returns the URI of the resource that contains the document. */
export function documentUri(documentId: string): string {
  return `parley://documents/${documentId}`;
}

function presentResource({ id, title, url, updatedAt }: ReadableDocument, mimeType: string): Resource {
  return {
    uri: documentUri(id),
    name: title,
    title,
    description: url === null ? 'A document of the knowledge base.' : `The text of ${url}.`,
    mimeType,
    annotations: { lastModified: updatedAt.toISOString() },
  };
}

/** The error code of the protocol for a missing resource. The SDK has no constant for it. */
const resourceNotFound = -32_002;

/** Converts an error to one of the protocol, without internal details. */
function toResourceError(error: unknown, log: FastifyBaseLogger): McpError {
  const { code, message } = publicError(error, log);
  if (code === 'document_not_found') return new McpError(resourceNotFound, message);
  return new McpError(code === 'invalid_cursor' ? ErrorCode.InvalidParams : ErrorCode.InternalError, message);
}

/**
 * Converts an error to one that clients may see. Unexpected errors are logged here and reported without
 * details.
 */
export function publicError(error: unknown, log: FastifyBaseLogger): AppError {
  if (error instanceof AppError && error.code !== 'internal_error') return error;
  log.error({ err: error }, 'MCP message failed');
  return new AppError('internal_error');
}
