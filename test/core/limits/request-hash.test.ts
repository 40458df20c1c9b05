import { expect, test } from 'vitest';
import { hashRequest } from '../../../core/limits/idempotent-requests.ts';

const hashOf = (json: string, operation = 'POST /v1/query') => hashRequest(operation, JSON.parse(json));

test.each([
  ['names in another order', '{"a":1,"b":{"c":[1,2],"d":null}}', '{"b":{"d":null,"c":[1,2]},"a":1}'],
  ['other white space', '{"a":[1,2]}', ' { "a" : [ 1,\n2 ] } '],
  ['other escapes', '{"a":"é/"}', '{"\\u0061":"\\u00e9\\/"}'],
  ['another way to write a number', '{"a":100}', '{"a":1e2}'],
])('%s does not change the hash', (_what, one, other) => {
  expect(hashOf(other)).toBe(hashOf(one));
});

test.each([
  ['another value', '{"a":1}', '{"a":2}'],
  ['another type', '{"a":1}', '{"a":"1"}'],
  ['another order of items', '{"a":[1,2]}', '{"a":[2,1]}'],
  ['one more field', '{"a":1}', '{"a":1,"b":null}'],
  ['a field elsewhere', '{"a":{"b":1},"c":{}}', '{"a":{},"c":{"b":1}}'],
])('%s changes the hash', (_what, one, other) => {
  expect(hashOf(other)).not.toBe(hashOf(one));
});

test('another operation changes the hash', () => {
  expect(hashOf('{}', 'POST /v1/other')).not.toBe(hashOf('{}'));
});
