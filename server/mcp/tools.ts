import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { roundScore } from '../../core/contract/answer.ts';
import type { ReadableDocuments } from '../../core/knowledge/documents/readable-documents.ts';
import type { PublicAgent } from '../nlweb/public-agent.ts';
import { presentGrounds } from '../v1/query/present.ts';
import { documentUri, publicError } from './resources.ts';

/** The tools only read, and only from this installation. */
const toolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;

const maxQueryCharacters = 4_000;

/** Fields that several tools share. */
const toolFields = {
  query: z.string().trim().min(1).max(maxQueryCharacters).describe('The question, in any language.'),
  documentId: z.string().max(200).describe('The id of the document, for the tool fetch.'),
  document: {
    name: z.string().describe('The title of the document.'),
    url: z.string().nullable().describe('The URL of the document on the web.'),
    uri: z.string().describe('The resource that contains the whole document.'),
  },
  relevance: z.number().min(0).max(1),
};

const { query, document, documentId, relevance } = toolFields;

const askToolConfig = {
  title: 'Ask a question',
  description:
    'Answers a question from the documents, with the passages that the answer is based on. Pass the conversation_id of ' +
    'an earlier answer to ask a follow-up question.',
  inputSchema: z.object({
    query,
    conversation_id: z
      .string()
      .max(200)
      .optional()
      .describe('The conversation_id of an earlier answer, to continue its conversation.'),
  }),
  outputSchema: z.object({
    answer: z.string(),
    confidence: z
      .enum(['high', 'medium', 'low'])
      .describe('low means that the documents contain no answer, or that the answer is unsure.'),
    tier: z
      .enum(['answer', 'maybe', 'none'])
      .describe(
        'maybe shows a section that may be the answer and says so. none means that no answer was found.',
      ),
    probability: z
      .number()
      .nullable()
      .describe(
        'The calibrated probability that the answer is right; null if it is not quoted from documents.',
      ),
    ai_generated: z.boolean().describe('Whether a language model wrote any of the text.'),
    quoted: z.boolean().describe('Whether the text is quoted from documents.'),
    lead: z.string().nullable().describe('The sentence that answers; null: the answer itself.'),
    sources: z.array(z.object({ ...document, snippet: z.string(), relevance })),
    conversation_id: z.string(),
  }),
  annotations: toolAnnotations,
};

export function registerAskTool(server: McpServer, agent: PublicAgent, log: FastifyBaseLogger): void {
  server.registerTool('ask', askToolConfig, ({ query: text, conversation_id }) =>
    toToolResult(log, async () => {
      const conversationId = conversation_id ?? null;
      const { answer, ...stored } = await agent.ask({ text, conversationId, earlierTurns: [], locale: null });
      return {
        answer: answer.text,
        confidence: answer.confidence,
        ...presentGrounds(answer),
        sources: answer.sources.map((source) => ({
          name: source.title,
          url: source.url,
          uri: documentUri(source.documentId),
          snippet: source.chunk,
          relevance: source.score,
        })),
        conversation_id: stored.conversationId,
      };
    }),
  );
}

const searchToolConfig = {
  title: 'Search the documents',
  description:
    'Finds the passages of the documents that are most relevant to a question, best first. Pass the id of a result to ' +
    'fetch to read its whole document.',
  inputSchema: z.object({
    query,
    top_k: z.int().min(1).max(20).default(5).describe('The maximum number of passages.'),
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

export function registerSearchTool(server: McpServer, agent: PublicAgent, log: FastifyBaseLogger): void {
  server.registerTool('search', searchToolConfig, ({ query: text, top_k }) =>
    toToolResult(log, async () => {
      const ranked = await agent.search({ text, earlierTurns: [] });
      return {
        results: ranked.slice(0, top_k).map((chunk) => ({
          id: chunk.documentId,
          title: chunk.title,
          name: chunk.title,
          url: chunk.url,
          uri: documentUri(chunk.documentId),
          text: chunk.body,
          relevance: roundScore(chunk.score),
        })),
      };
    }),
  );
}

interface Dependencies {
  readonly documents: ReadableDocuments;
  readonly workspaceId: string;
  readonly log: FastifyBaseLogger;
}

const addFetchToolConfig = {
  title: 'Read a document',
  description: 'Returns the complete text of a document as Markdown, by the id of a search result.',
  inputSchema: z.object({ id: documentId }),
  outputSchema: z.object({
    id: documentId,
    title: document.name,
    text: z.string().describe('The complete document as Markdown.'),
    url: document.url,
    metadata: z.object({ uri: document.uri, updated_at: z.string() }),
  }),
  annotations: { ...toolAnnotations, idempotentHint: true },
};

/**
 * The tool `fetch`, in the form that connectors of ChatGPT call it. Reading a document does not count as a
 * message.
 */
export function addFetchTool(server: McpServer, { documents, workspaceId, log }: Dependencies): void {
  server.registerTool('fetch', addFetchToolConfig, ({ id }) =>
    toToolResult(log, async () => {
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

/**
 * Returns the result of a tool, also as text for clients that do not read structured content, or an error
 * message.
 */
async function toToolResult(
  log: FastifyBaseLogger,
  work: () => Promise<Record<string, unknown>>,
): Promise<CallToolResult> {
  try {
    const structuredContent = await work();
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
  } catch (error) {
    const { message, retryAfterSeconds } = publicError(error, log);
    const later = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} seconds.`;
    return { isError: true, content: [{ type: 'text', text: message + later }] };
  }
}
