import { validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toValidationError } from '../../../server/plugins/errors.ts';
import { withErrorCode } from '../../../server/schemas/responses.ts';

const schema = z.object({
  title: z.string().optional(),
  query: z.string(),
  name: z.string().refine((name) => name !== 'none', withErrorCode('key_not_found')),
  settings: z.object({ audiences: z.array(z.string()) }).optional(),
  unheard_of: z.string().optional(),
});

function errorOf(input: unknown) {
  const result = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })(input);
  const issues = typeof result === 'object' && 'error' in result ? result.error : undefined;
  const { code, status, message } = toValidationError(Array.isArray(issues) ? issues : [], input);
  return { status, code, message };
}

test('a missing field comes before every invalid one', () => {
  expect(errorOf({ title: 5, name: 'x' })).toEqual({
    status: 400,
    code: 'missing_field',
    message: 'query is required.',
  });
});

test('the first of several invalid fields in the schema is reported', () => {
  expect(errorOf({ name: 5, query: 5, title: 5 })).toMatchObject({ status: 422, code: 'invalid_title' });
});

test('a field of null is invalid, not missing', () => {
  expect(errorOf({ query: null, name: 'x' })).toMatchObject({ status: 422, code: 'invalid_query' });
});

test('a refinement can set its code', () => {
  expect(errorOf({ query: 'q', name: 'none' })).toMatchObject({ status: 404, code: 'key_not_found' });
});

test('an error inside a field is reported with its path', () => {
  const error = errorOf({ query: 'q', name: 'x', settings: { audiences: ['a', 5] } });
  expect(error).toMatchObject({ status: 422, code: 'invalid_settings' });
  expect(error.message).toContain('audiences.1');
});

test('a field without its own code is reported by name', () => {
  const error = errorOf({ query: 'q', name: 'x', unheard_of: 5 });
  expect(error).toMatchObject({ status: 422, code: 'invalid_body' });
  expect(error.message).toContain('unheard_of');
});

test('a missing body is a missing field, and a body that is not an object is invalid', () => {
  expect(errorOf(undefined)).toMatchObject({ status: 400, code: 'missing_field' });
  for (const input of [null, [], 'text', 5])
    expect(errorOf(input)).toMatchObject({ status: 422, code: 'invalid_body' });
});
