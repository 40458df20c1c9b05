import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { type ErrorCode, errorCatalogue } from '../../core/base/error-catalogue.ts';
import { type ResponseHeader, responseHeaders } from './response-headers.ts';
import { shareResponses } from './share-responses.ts';

/** The content of a response, by media type. */
const contentSchema = z.record(z.string(), z.looseObject({ schema: z.record(z.string(), z.unknown()) }));

type Content = z.output<typeof contentSchema>;

const mediaType = 'text/event-stream';

/**
 * Describes an event stream as a string, as validators see it: the schema of a single event becomes the
 * `contentSchema` of that string.
 */
function streamContent(content: Content): Content {
  const stream = content[mediaType];
  if (stream === undefined || stream.schema.type === 'string') return content;
  const schema = {
    type: 'string',
    description:
      'Events of the form `data: <JSON>` and an empty line. contentSchema describes the JSON of each event.',
    contentMediaType: mediaType,
    contentSchema: stream.schema,
  };
  return { ...content, [mediaType]: { ...stream, schema } };
}

const responseSchema = z.looseObject({
  description: z.string(),
  headers: z.record(z.string(), z.unknown()).default({}),
  content: contentSchema.optional(),
});

const parameterSchema = z.looseObject({
  name: z.string(),
  in: z.string(),
  schema: z.record(z.string(), z.unknown()).optional(),
});

const operationSchema = z.looseObject({
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(parameterSchema).default([]),
  responses: z.record(z.string(), responseSchema),
});

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({}).optional(),
});

type Operation = z.output<typeof operationSchema>;

const rateLimitHeaders = [
  'X-RateLimit-Limit-Minute',
  'X-RateLimit-Remaining-Minute',
  'X-RateLimit-Limit-Day',
  'X-RateLimit-Remaining-Day',
  'X-RateLimit-Reset-Day',
] as const;

/** Statuses that are returned before the API key is known, so without rate-limit headers. */
const unauthenticatedStatuses = ['401', '408', '431'];

/**
 * Completes an OpenAPI document with the parts that all operations of a kind share: headers, stream schemas
 * and shared error responses.
 */
export function completeDescription(input: unknown): object {
  const document = documentSchema.parse(input);
  const described = mapValues(document.paths, (methods) => mapValues(methods, withHeaders));
  const { paths, responses } = shareResponses(described);
  const used = JSON.stringify([paths, responses]);
  const headers = Object.entries(responseHeaders).filter(([name]) => used.includes(headerReference(name)));
  const components = { ...document.components, responses, headers: Object.fromEntries(headers) };
  return { ...document, paths, components, 'x-otherwise': fallbackResponses };
}

function withHeaders(operation: Operation): Operation {
  // Operator routes that take keys too have these headers with a key only, so the introduction tells of them.
  const { security = [] } = operation;
  const keyed = security.length > 0 && security.every((scheme) => 'apiKey' in scheme);
  const repeatable = hasErrorCode(operation, 'duplicate_request_id');
  const challenging = hasErrorCode(operation, 'challenge_required');
  const scoped = hasErrorCode(operation, 'insufficient_scope');
  const responses = mapEntries(operation.responses, ([status, response]) => ({
    ...response,
    description: describeStatus(status, response.description),
    headers: headerReferences(responseHeaderNames(status, { keyed, repeatable, challenging, scoped })),
    ...(response.content === undefined
      ? {}
      : {
          content: status.startsWith('2')
            ? streamContent(response.content)
            : withoutRepeatedDescription(response),
        }),
  }));
  return { ...operation, parameters: operation.parameters.map(describeParameter), responses };
}

/**
 * Node lower-cases header names, and validation uses those; the document shows the usual spelling. Fields of an object
 * stand in a query as `name[field]=value`.
 */
function describeParameter(parameter: z.output<typeof parameterSchema>) {
  if (parameter.in === 'query' && parameter.schema?.type === 'object')
    return { ...parameter, style: 'deepObject', explode: true };
  if (parameter.in !== 'header') return parameter;
  return { ...parameter, name: parameter.name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()) };
}

function responseHeaderNames(
  status: string,
  {
    keyed,
    repeatable,
    challenging,
    scoped,
  }: Readonly<Record<'keyed' | 'repeatable' | 'challenging' | 'scoped', boolean>>,
): ResponseHeader[] {
  return [
    'X-Request-Id',
    ...(keyed && !unauthenticatedStatuses.includes(status) ? rateLimitHeaders : []),
    ...(repeatable && status.startsWith('2') ? (['Idempotency-Replayed'] as const) : []),
    ...(status === '401' || (status === '403' && scoped) ? (['WWW-Authenticate'] as const) : []),
    ...(status === '429' || status === '503' ? (['Retry-After'] as const) : []),
    ...(status === '429' && challenging ? (['Challenge'] as const) : []),
  ];
}

function hasErrorCode(operation: Operation, code: ErrorCode): boolean {
  return JSON.stringify(operation.responses).includes(`"${code}"`);
}

/** Drops the description of an error schema if its response has the same one. */
function withoutRepeatedDescription({ description, content = {} }: z.output<typeof responseSchema>) {
  return mapValues(content, (media) => {
    const { description: same, ...schema } = media.schema;
    return same === description ? { ...media, schema } : media;
  });
}

/** Replaces the generator's "Default Response" with the name of the status. */
function describeStatus(status: string, description: string): string {
  return description === 'Default Response' ? (STATUS_CODES[status] ?? description) : description;
}

function headerReferences(names: readonly ResponseHeader[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: headerReference(name) }]));
}

function headerReference(header: string): string {
  return `#/components/headers/${header}`;
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return mapEntries(record, ([, value]) => change(value));
}

function mapEntries<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (entry: [string, Value]) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map((entry) => [entry[0], change(entry)]));
}

/**
 * Responses to requests that match no operation. OpenAPI has no place for them, so they are an extension
 * (`x-otherwise`).
 */
const fallbackResponses = {
  404: fallbackResponse('route_not_found', ['X-Request-Id']),
  405: fallbackResponse('method_not_allowed', ['X-Request-Id', 'Allow']),
};

function fallbackResponse(code: ErrorCode, headers: readonly ResponseHeader[]) {
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { code: { type: 'string', enum: [code] } }, required: ['code'] },
    ],
  };
  return {
    description: `\`${code}\`: ${errorCatalogue[code].text}`,
    headers: Object.fromEntries(headers.map((name) => [name, responseHeaders[name]])),
    content: { 'application/json': { schema } },
  };
}
