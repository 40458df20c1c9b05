import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { whenSettled } from '../../core/async.ts';
import { AppError, type ErrorCode, errorCatalogue } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { isDatabaseFault } from '../../core/storage/sql-errors.ts';
import { type errorBodySchema, findErrorCode } from '../schemas/responses.ts';

/** Every error and every unknown route is answered in the one shape of errors. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new AppError('route_not_found'), request, reply));
}

/**
 * Answers the methods that a known route does not take with 405 and `Allow`. Call it before the first route is
 * added; the returned function, called after the last one, adds the answers.
 */
export function handleUnknownMethods(app: FastifyInstance): (app: FastifyInstance) => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set();
    known.set(url, methods);
    for (const name of [method].flat()) methods.add(name);
  });
  return (complete) => {
    for (const [url, methods] of [...known]) {
      const allow = [...methods].sort().join(', ');
      const others = complete.supportedMethods.filter((name) => !methods.has(name));
      if (others.length === 0) continue;
      complete.route({
        url,
        method: others,
        schema: { hide: true },
        onRequest: async (_request, reply) => {
          reply.header('allow', allow);
          throw new AppError('method_not_allowed');
        },
        handler: () => {},
      });
    }
  };
}

/**
 * Answers with any error in the one shape there is. Returns nothing to wait for: the framework answers once more, with
 * every hook, when a promise is fulfilled while the hooks of the first answer still run.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toLoggedError(error, request);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('x-request-id', request.id).code(known.status);
  const send = () => void reply.send(presentError(known, request.id));
  if (known.code === 'payload_too_large') whenSettled(discardBody(request.raw), send);
  else send();
}

export function presentError(error: AppError, requestId: string): z.output<typeof errorBodySchema> {
  return { detail: error.message, code: error.code, request_id: requestId };
}

/** The code that a request was refused with, for its line in the log. */
export const loggedErrorCodes = new WeakMap<object, ErrorCode>();

/** Any error as the caller may see it, noted for the request's line in the log; what went wrong on our side is logged whole. */
export function toLoggedError(error: unknown, request: FastifyRequest): AppError {
  const known = toAppError(error, request);
  loggedErrorCodes.set(request, known.code);
  if (isServerFailure(known)) request.log.error({ err: known.cause ?? known }, 'request failed');
  return known;
}

/** A server that drains and a request that takes too long are told by the line of every request. */
function isServerFailure({ code, status }: AppError): boolean {
  return status >= 500 && code !== 'deploying' && code !== 'request_timeout';
}

/** What the framework and its parsers report, in our words. */
const frameworkErrorCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'malformed_request',
};

/**
 * Any error as one that a caller may see: a database that does not answer is `upstream_timeout`, and what is not known
 * `internal_error`, each with its cause kept for the log.
 */
function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    return toValidationError(error.validation, validatedPart(request, error.validationContext));
  }
  const code =
    error instanceof Error && 'code' in error ? frameworkErrorCodes[String(error.code)] : undefined;
  if (code === 'unsupported_media_type') {
    const sent = request.headers['content-type'];
    const detail = `${sent === undefined ? 'No Content-Type was sent' : 'This Content-Type is not supported'}: send the body with Content-Type: application/json.`;
    return new AppError(code, { detail, cause: error });
  }
  if (code !== undefined) return new AppError(code, { cause: error });
  const cut = request.raw.destroyed && !request.raw.complete;
  if (cut) return new AppError('malformed_request', { cause: error });
  return new AppError(isDatabaseFault(error) ? 'upstream_timeout' : 'internal_error', { cause: error });
}

function validatedPart(request: FastifyRequest, part: string | undefined): unknown {
  switch (part) {
    case 'headers':
      return request.headers;
    case 'params':
      return request.params;
    case 'querystring':
      return request.query;
    default:
      return request.body;
  }
}

const discardTimeoutMs = 10_000;

/**
 * Reads and drops what is left of a request, for ten seconds at most. Many callers read no answer before they have
 * sent everything: to answer and close the connection earlier would take the answer from them.
 */
async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const patience = setTimeout(resolve, discardTimeoutMs);
    finished(request, () => {
      clearTimeout(patience);
      resolve();
    });
    request.resume();
  });
}

const parserErrorCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'receive_timeout',
};

/** Answers what is not HTTP, or never became a whole request, and closes the connection. */
export function handleClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = new AppError(parserErrorCodes[error.code ?? ''] ?? 'malformed_request');
  const id = newId('req');
  const body = JSON.stringify(presentError(known, id));
  const head = [
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const refinementIssueSchema = z.object({ params: z.object({ code: z.string() }) });

interface Fault {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
}

/**
 * The error for what a schema found: a missing field goes before a wrong one, and of several the first in the order
 * of the schema is told. `input` is what was validated.
 */
export function toValidationError(issues: readonly FastifySchemaValidationError[], input: unknown): AppError {
  const faults = issues.map((issue) => toFault(issue, input));
  const told = faults.find((fault) => fault.code === 'missing_field') ?? faults[0];
  if (told === undefined) return new AppError('invalid_body');
  return new AppError(told.code, told.detail === undefined ? {} : { detail: told.detail });
}

function toFault(issue: FastifySchemaValidationError, input: unknown): Fault {
  const [field = '', ...inside] = issue.instancePath.split('/').slice(1);
  if (field === '') return rootFault(input);
  const named = findErrorCode(refinementIssueSchema.safeParse(issue.params).data?.params.code);
  if (named === 'missing_field' || !isGiven(input, field)) {
    return { code: 'missing_field', detail: `${[field, ...inside].join('.')} is required.` };
  }
  if (named !== undefined) return { code: named, detail: undefined };
  const code = findErrorCode(`invalid_${field.replaceAll('-', '_')}`);
  if (code === undefined) return { code: 'invalid_body', detail: `${field}: ${issue.message}.` };
  const where =
    inside.length === 0
      ? undefined
      : `${errorCatalogue[code].text} At ${inside.join('.')}: ${issue.message}.`;
  return { code, detail: where };
}

function rootFault(input: unknown): Fault {
  if (input === undefined) return { code: 'missing_field', detail: 'A JSON body is required.' };
  return { code: 'invalid_body', detail: undefined };
}

function isGiven(input: unknown, field: string): boolean {
  return typeof input === 'object' && input !== null && field in input;
}
