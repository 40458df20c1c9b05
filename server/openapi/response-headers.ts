const integer = { type: 'integer', minimum: 0 } as const;

/** Every header that answers carry beside the usual ones, by the name under which the description refers to it. */
export const responseHeaders = {
  'X-Request-Id': {
    description: "The caller's own X-Request-Id, or one made here. Give it when you ask for help.",
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: 'req_01K5Z2V0B8Q4M3N7R6T9W1X2Y3',
  },
  'X-RateLimit-Limit-Minute': {
    description: 'Requests that the key may make a minute.',
    schema: integer,
    example: 60,
  },
  'X-RateLimit-Remaining-Minute': {
    description: 'Requests that are left of this minute.',
    schema: integer,
    example: 59,
  },
  'X-RateLimit-Limit-Day': {
    description: 'Requests that the key may make a day.',
    schema: integer,
    example: 1000,
  },
  'X-RateLimit-Remaining-Day': {
    description: 'Requests that are left of this day.',
    schema: integer,
    example: 999,
  },
  'X-RateLimit-Reset-Day': {
    description: 'When the next day begins: midnight UTC, in seconds of Unix time.',
    schema: integer,
    example: 1789603200,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: integer,
    example: 30,
  },
  Challenge: {
    description:
      'With challenge_required: a JWT whose claim bits is a number. Find another one, n, with which the SHA-256 of ' +
      'the JWT, a full stop and n begins with so many zero bits, and repeat the request within two minutes with the ' +
      'header Challenge-Answer: the JWT, a space and n. It holds for one request of this caller.',
    schema: { type: 'string' },
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJiaXRzIjoxNX0.c2lnbmF0dXJl',
  },
  'Idempotency-Replayed': {
    description: 'On an answer that was given before, to a request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the route takes.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, POST',
  },
} as const;

export type ResponseHeader = keyof typeof responseHeaders;
