import { type ErrorCode, errorCatalogue } from '../../core/errors.ts';
import { type ResponseHeader, responseHeaders } from './response-headers.ts';

/** What is answered to a request that fits no operation: OpenAPI has no place for that, so an extension says it. */
export const otherwise = {
  404: unmatched('route_not_found', ['X-Request-Id']),
  405: unmatched('method_not_allowed', ['X-Request-Id', 'Allow']),
};

function unmatched(code: ErrorCode, headers: readonly ResponseHeader[]) {
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
