import { expect, test } from 'vitest';
import { isDatabaseFault } from '../../../core/storage/sql-errors.ts';

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
])(
  'a database that is out of reach or out of order is told from a statement that is wrong: %s …',
  (...codes) => {
    for (const code of codes) expect(isDatabaseFault(coded(code)), code).toBe(true);
  },
);

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
])('what the driver says without a code is understood: %s', (message) => {
  expect(isDatabaseFault(new TypeError(message))).toBe(true);
});

test.each(['23505', '42601', '25001', '22021', 'ERR_INVALID_ARG_TYPE'])(
  'the fault %s is no fault of the database',
  (code) => {
    expect(isDatabaseFault(coded(code))).toBe(false);
  },
);

test('neither is one whose words are like the driver’s but has a code of its own, nor what is no error', () => {
  expect(isDatabaseFault(Object.assign(coded('42601'), { message: 'timeout exceeded' }))).toBe(false);
  expect(isDatabaseFault('ECONNREFUSED')).toBe(false);
});
