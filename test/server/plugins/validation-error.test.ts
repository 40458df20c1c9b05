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

test('a missing field goes before every wrong one', () => {
  expect(errorOf({ title: 5, name: 'x' })).toEqual({
    status: 400,
    code: 'missing_field',
    message: 'query is required.',
  });
});

test('of several wrong fields the first of the schema is told', () => {
  expect(errorOf({ name: 5, query: 5, title: 5 })).toMatchObject({ status: 422, code: 'invalid_title' });
});

test('a field of null is wrong, not missing', () => {
  expect(errorOf({ query: null, name: 'x' })).toMatchObject({ status: 422, code: 'invalid_query' });
});

test('a refinement may choose its code', () => {
  expect(errorOf({ query: 'q', name: 'none' })).toMatchObject({ status: 404, code: 'key_not_found' });
});

test('what is wrong inside a field is told with its place', () => {
  const error = errorOf({ query: 'q', name: 'x', settings: { audiences: ['a', 5] } });
  expect(error).toMatchObject({ status: 422, code: 'invalid_settings' });
  expect(error.message).toContain('audiences.1');
});

test('a field without a code of its own is named all the same', () => {
  const error = errorOf({ query: 'q', name: 'x', unheard_of: 5 });
  expect(error).toMatchObject({ status: 422, code: 'invalid_body' });
  expect(error.message).toContain('unheard_of');
});

test('no body is a missing field, and what is no object is an invalid body', () => {
  expect(errorOf(undefined)).toMatchObject({ status: 400, code: 'missing_field' });
  for (const input of [null, [], 'text', 5])
    expect(errorOf(input)).toMatchObject({ status: 422, code: 'invalid_body' });
});
