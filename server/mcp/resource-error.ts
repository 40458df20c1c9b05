import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyBaseLogger } from 'fastify';
import { toldError } from './told-error.ts';

/** What the protocol answers for a resource that is not there; the package has no name for it. */
const resourceNotFound = -32_002;

/** Any error as one of the protocol, without what is nobody's business. */
export function resourceError(error: unknown, log: FastifyBaseLogger): McpError {
  const { code, message } = toldError(error, log);
  if (code === 'document_not_found') return new McpError(resourceNotFound, message);
  return new McpError(code === 'invalid_cursor' ? ErrorCode.InvalidParams : ErrorCode.InternalError, message);
}
