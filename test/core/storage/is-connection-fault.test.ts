import { expect, test } from 'vitest';
import { isConnectionFault } from '../../../core/storage/is-connection-fault.ts';

const coded = (code: string) => Object.assign(new TypeError('failed'), { code });

test.each([
  ['08006', '08001', '25P03', '53300', '57014', '57P01', '57P02', '57P03'],
  ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
])('a database that is out of reach is told from a statement that is wrong: %s …', (...codes) => {
  for (const code of codes) expect(isConnectionFault(coded(code)), code).toBe(true);
});

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
])('what the driver says without a code is understood: %s', (message) => {
  expect(isConnectionFault(new TypeError(message))).toBe(true);
});

test.each(['23505', '42601', '53100', '22021', 'ERR_INVALID_ARG_TYPE'])(
  'the fault %s is no fault of the connection',
  (code) => {
    expect(isConnectionFault(coded(code))).toBe(false);
  },
);

test('neither is one whose words are like the driver’s but has a code of its own, nor what is no error', () => {
  expect(isConnectionFault(Object.assign(coded('42601'), { message: 'timeout exceeded' }))).toBe(false);
  expect(isConnectionFault('ECONNREFUSED')).toBe(false);
});
