import { describe, expect, test } from 'vitest';
import { requireParameters } from '../../../../../core/answering/skills/http/parameters.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';
const large = { type: 'object', description: 'ä'.repeat(8 * 1024) };

/** Each part refers to the next one twice: validation takes 2 ** parts steps. */
function referring(parts: number): Record<string, unknown> {
  const $ref = (index: number) => ({ $ref: `#/$defs/d${index}` });
  const entries = Array.from({ length: parts }, (_, index) => [
    `d${index}`,
    index + 1 === parts ? { type: 'object' } : { allOf: [$ref(index + 1), $ref(index + 1)] },
  ]);
  return { type: 'object', $defs: Object.fromEntries(entries), ...$ref(0) };
}

describe('parameters', () => {
  test.each([
    [{ type: 'object' }],
    [{ $schema: dialect, type: 'object', properties: { at: { type: 'string', format: 'date' } } }],
    [{ type: 'object', $defs: { id: { type: 'integer' } }, properties: { a: { $ref: '#/$defs/id' } } }],
    [{ type: 'object', properties: { $ref: { type: 'string' }, many: { type: ['string', 'null'] } } }],
    [
      {
        type: 'object',
        properties: { a: { type: 'string', pattern: '^\\p{Lu}\\u00e9(?<year>\\d{4})[\\w-]+$' } },
      },
    ],
    [{ type: 'object', patternProperties: { '^(a+)+$': {} } }],
    [{ type: 'object', properties: { tree: { type: 'array', items: { $ref: '#' } } } }],
  ])('may be %j', (parameters) => {
    expect(() => requireParameters(parameters)).not.toThrow();
  });

  test.each([
    [{}, 'type must be "object"'],
    [{ type: 'string' }, 'type must be "object"'],
    [large, 'they are larger than 16 KB'],
    [{ type: 'object', requird: ['a'] }, 'unknown keyword: "requird"'],
    [{ type: 'object', properties: [] }, 'schema is invalid: data/properties must be object'],
    [{ type: 'object', properties: { a: { type: 'text' } } }, 'schema is invalid: data/properties/a/type'],
    [{ type: 'object', properties: { a: { pattern: '(' } } }, 'Invalid regular expression'],
    [
      { type: 'object', properties: { a: { items: { type: 'string', pattern: '(a)\\1' } } } },
      'properties.a.items.pattern ("(a)\\\\1") is not supported. Write it without back references',
    ],
    [
      { type: 'object', properties: { a: { type: 'string', pattern: '^(?=.*\\d).{8,}$' } } },
      'properties.a.pattern ("^(?=.*\\\\d).{8,}$") is not supported',
    ],
    [
      { type: 'object', properties: { a: { type: 'string', pattern: '(?<y>a)\\k<y>' } } },
      'properties.a.pattern ("(?<y>a)\\\\k<y>") is not supported',
    ],
    [
      { type: 'object', patternProperties: { '(?<!x)a': {} } },
      'patternProperties ("(?<!x)a") is not supported',
    ],
    [referring(60), 'they take too long to check'],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/b' } } }, "can't resolve reference #/$defs/b"],
    [
      { type: 'object', $defs: { unused: { $ref: 'https://example.com/s.json' } } },
      '$ref "https://example.com/s.json" must point into this schema and begin with #',
    ],
    [{ type: 'object', $ref: '#' }, 'they are nested too deeply, or refer to themselves without end'],
    [{ type: 'object', $async: true }, '$async is not supported'],
    [
      { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' },
      `$schema must be "${dialect}", or absent`,
    ],
  ])('may not be %j', (parameters, fault) => {
    expect(() => requireParameters(parameters)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameters',
        message: expect.stringContaining(`parameters: ${fault}`),
      }),
    );
  });

  test('of two schemas with the same $id are checked separately', () => {
    const $id = 'https://example.com/same';
    requireParameters({ $id, type: 'object' });
    requireParameters({ $id, type: 'object', required: ['a'] });
  });
});
