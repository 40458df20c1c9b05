import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyBaseLogger } from 'fastify';
import { toldError } from './told-error.ts';

/** What a tool found, also as text for clients that read no structure; or in a sentence why it failed. */
export async function toolResult(
  log: FastifyBaseLogger,
  work: () => Promise<Record<string, unknown>>,
): Promise<CallToolResult> {
  try {
    const structuredContent = await work();
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
  } catch (error) {
    const { message, retryAfterSeconds } = toldError(error, log);
    const later = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} seconds.`;
    return { isError: true, content: [{ type: 'text', text: message + later }] };
  }
}
