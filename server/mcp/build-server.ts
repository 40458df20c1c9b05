import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { CursorSeal } from '../../core/base/pagination.ts';
import { ReadableDocuments } from '../../core/knowledge/documents/readable-documents.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { PublicAgent } from '../nlweb/public-agent.ts';
import { registerResources } from './resources.ts';
import { addFetchTool, registerAskTool, registerSearchTool } from './tools.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly cursors: CursorSeal;
  readonly log: FastifyBaseLogger;
}

/** Builds the Model Context Protocol server of a workspace for one request. */
export function buildMcpServer(agent: PublicAgent, { database, cursors, log }: Dependencies): McpServer {
  const { id, name, settings } = agent.workspace;
  const server = new McpServer(
    { name: 'parley', title: name, version: manifest.version },
    { instructions: settings.description ?? `Answers questions from the documents of ${name}.` },
  );
  registerAskTool(server, agent, log);
  const documents = new ReadableDocuments(database, agent.caller.audience);
  registerSearchTool(server, agent, log);
  addFetchTool(server, { documents, workspaceId: id, log });
  registerResources(server, { documents, workspaceId: id, cursors, log });
  return server;
}
