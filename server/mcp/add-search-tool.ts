import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { PublicAgent } from '../public-agent.ts';
import { documentUri } from './document-uri.ts';
import { toolAnnotations } from './tool-annotations.ts';
import { toolFields } from './tool-fields.ts';
import { toolResult } from './tool-result.ts';

const { query, document, documentId, relevance } = toolFields;

const config = {
  title: 'Search the documents',
  description:
    'Finds the passages of the documents that have most to do with a question, best first. Pass the id of a result to ' +
    'fetch to read its whole document.',
  inputSchema: z.object({
    query,
    top_k: z.int().min(1).max(20).default(5).describe('How many passages at most.'),
  }),
  outputSchema: z.object({
    results: z.array(
      z.object({
        id: documentId,
        title: document.name,
        ...document,
        text: z.string().describe('The passage.'),
        relevance,
      }),
    ),
  }),
  annotations: { ...toolAnnotations, idempotentHint: true },
};

/** The tool `search`. */
export function addSearchTool(server: McpServer, agent: PublicAgent, log: FastifyBaseLogger): void {
  server.registerTool('search', config, ({ query: text, top_k }) =>
    toolResult(log, async () => {
      const ranked = await agent.search({ text, earlierTurns: [] });
      return {
        results: ranked.slice(0, top_k).map((chunk) => ({
          id: chunk.documentId,
          title: chunk.title,
          name: chunk.title,
          url: chunk.url,
          uri: documentUri(chunk.documentId),
          text: chunk.body,
          relevance: Math.round(chunk.score * 10_000) / 10_000,
        })),
      };
    }),
  );
}
