import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { ReadableDocuments } from '../../core/knowledge/readable-documents.ts';
import { documentUri } from './document-uri.ts';
import { toolAnnotations } from './tool-annotations.ts';
import { toolFields } from './tool-fields.ts';
import { toolResult } from './tool-result.ts';

interface Dependencies {
  readonly documents: ReadableDocuments;
  readonly workspaceId: string;
  readonly log: FastifyBaseLogger;
}

const { documentId, document } = toolFields;

const config = {
  title: 'Read a document',
  description: 'Returns the whole text of a document, as Markdown, by the id of a search result.',
  inputSchema: z.object({ id: documentId }),
  outputSchema: z.object({
    id: documentId,
    title: document.name,
    text: z.string().describe('The whole document, as Markdown.'),
    url: document.url,
    metadata: z.object({ uri: document.uri, updated_at: z.string() }),
  }),
  annotations: { ...toolAnnotations, idempotentHint: true },
};

/** The tool `fetch`, in the form that ChatGPT's connectors call it. Reading a document counts as no message. */
export function addFetchTool(server: McpServer, { documents, workspaceId, log }: Dependencies): void {
  server.registerTool('fetch', config, ({ id }) =>
    toolResult(log, async () => {
      const { title, text, url, updatedAt } = await documents.read(workspaceId, id);
      return {
        id,
        title,
        text,
        url,
        metadata: { uri: documentUri(id), updated_at: updatedAt.toISOString() },
      };
    }),
  );
}
