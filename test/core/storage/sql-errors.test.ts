import { expect, test } from 'vitest';
import { findLostReference, isDatabaseFault } from '../../../core/storage/sql-errors.ts';

const coded = (code: string) => Object.assign(new TypeError('failed'), { code });

test.each([
  [
    '08006',
    '08001',
    '25006',
    '25P03',
    '53100',
    '53200',
    '53300',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '58030',
  ],
  ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
])('an unreachable or faulty database is distinguished from a wrong statement: %s …', (...codes) => {
  for (const code of codes) expect(isDatabaseFault(coded(code)), code).toBe(true);
});

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
])('a driver error without a code is recognised: %s', (message) => {
  expect(isDatabaseFault(new TypeError(message))).toBe(true);
});

test.each(['23505', '42601', '25001', '22021', 'ERR_INVALID_ARG_TYPE'])(
  'the error %s is not a database fault',
  (code) => {
    expect(isDatabaseFault(coded(code))).toBe(false);
  },
);

test('an error with similar words but a code of its own, or a value that is no error, is not a database fault', () => {
  expect(isDatabaseFault(Object.assign(coded('42601'), { message: 'timeout exceeded' }))).toBe(false);
  expect(isDatabaseFault('ECONNREFUSED')).toBe(false);
});

const lost = (constraint: string, code = '23503') =>
  Object.assign(coded(code), { table: 'note', constraint });

test('a row that names a deleted one tells by which column', () => {
  expect(findLostReference(lost('note_conversation_id_fkey'))).toBe('conversation_id');
});

test.each([
  ['a violated unique index', lost('note_conversation_id_fkey', '23505')],
  ['a foreign key with a name of its own', lost('note_author')],
  ['an error without a constraint', coded('23503')],
  ['a value that is no error', '23503'],
])('%s is no lost reference', (_what, error) => {
  expect(findLostReference(error)).toBeNull();
});
