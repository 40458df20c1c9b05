const integer = { type: 'integer', minimum: 0 } as const;

/** The response headers that the OpenAPI document describes, by the name that it refers to. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'The X-Request-Id of the request, or a generated one. Include it when you contact support.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: 'req_01K5Z2V0B8Q4M3N7R6T9W1X2Y3',
  },
  'X-RateLimit-Limit-Minute': {
    description: 'The number of requests that the key may make per minute.',
    schema: integer,
    example: 60,
  },
  'X-RateLimit-Remaining-Minute': {
    description: 'The number of requests that are left in this minute.',
    schema: integer,
    example: 59,
  },
  'X-RateLimit-Limit-Day': {
    description: 'The number of requests that the key may make per day.',
    schema: integer,
    example: 1000,
  },
  'X-RateLimit-Remaining-Day': {
    description: 'The number of requests that are left today.',
    schema: integer,
    example: 999,
  },
  'X-RateLimit-Reset-Day': {
    description: 'The start of the next day (midnight UTC), in Unix seconds.',
    schema: integer,
    example: 1789603200,
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the next attempt.',
    schema: integer,
    example: 30,
  },
  Challenge: {
    description:
      'With challenge_required: a JWT whose claim bits is a number. Find a number n for which the SHA-256 of ' +
      'the JWT, a full stop and n begins with at least that number of zero bits. Repeat the request within two minutes with the ' +
      'header Challenge-Answer: the JWT, a space and n. An answer is valid for one request of this client.',
    schema: { type: 'string' },
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJiaXRzIjoxNX0.c2lnbmF0dXJl',
  },
  'Idempotency-Replayed': {
    description: 'Present if the response repeats an earlier one to a request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'WWW-Authenticate': {
    description:
      'The authentication scheme. With insufficient_scope also the error and the scope that the key lacks; absent from other responses with status 403.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the route supports.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, POST',
  },
} as const;

export type ResponseHeader = keyof typeof responseHeaders;
