import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { PublicAgent } from '../public-agent.ts';
import { documentUri } from './document-uri.ts';
import { toolAnnotations } from './tool-annotations.ts';
import { toolFields } from './tool-fields.ts';
import { toolResult } from './tool-result.ts';

const { query, document, relevance } = toolFields;

const config = {
  title: 'Ask a question',
  description:
    'Answers a question from the documents, with the passages that the answer rests on. Pass the conversation_id of ' +
    'an earlier answer to ask a follow-up question.',
  inputSchema: z.object({
    query,
    conversation_id: z.string().max(200).optional().describe('From an earlier answer, to go on from it.'),
  }),
  outputSchema: z.object({
    answer: z.string(),
    confidence: z.enum(['high', 'medium', 'low']).describe('low: the documents hold no answer.'),
    sources: z.array(z.object({ ...document, snippet: z.string(), relevance })),
    conversation_id: z.string(),
  }),
  annotations: toolAnnotations,
};

/** The tool `ask`. */
export function addAskTool(server: McpServer, agent: PublicAgent, log: FastifyBaseLogger): void {
  server.registerTool('ask', config, ({ query: text, conversation_id }) =>
    toolResult(log, async () => {
      const conversationId = conversation_id ?? null;
      const result = await agent.ask({ text, conversationId, earlierTurns: [], locale: null });
      return {
        answer: result.answer.text,
        confidence: result.answer.confidence,
        sources: result.answer.sources.map((source) => ({
          name: source.title,
          url: source.url,
          uri: documentUri(source.documentId),
          snippet: source.chunk,
          relevance: source.score,
        })),
        conversation_id: result.conversationId,
      };
    }),
  );
}
