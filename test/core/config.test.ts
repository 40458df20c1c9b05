import { describe, expect, test } from 'vitest';
import { readConfig } from '../../core/config.ts';

const faultsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('readConfig', () => {
  test('an empty environment is a whole configuration for one machine', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', LOG_LEVEL: 'info', TRUST_PROXY: [] });
    expect(config.DATA_DIR).toMatch(/\/data$/);
    expect(config.DATABASE_URL).toBeUndefined();
  });

  test('every faulty variable is named on a line of its own, with what it holds and what it takes', () => {
    const lines = faultsOf({ PORT: 'http', LOG_LEVEL: 'loud', PUBLIC_URL: 'example.com' }).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('PORT holds "http"; it takes a port number from 0 to 65535.');
    expect(lines[1]).toContain('PUBLIC_URL holds "example.com"');
    expect(lines[2]).toContain('LOG_LEVEL holds "loud"');
  });

  test.each([
    ['ADMIN_TOKEN', 'short'],
    ['ENCRYPTION_KEY', 'not a key at all'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['REDIS_URL', 'http://:hunter2@redis'],
  ])('a faulty %s is never printed', (name, value) => {
    const message = faultsOf({ [name]: value });
    expect(message).toContain(`${name} holds something else`);
    expect(message).not.toContain(value);
  });

  test('a database address whose options would hide the queue from us is refused', () => {
    expect(faultsOf({ DATABASE_URL: 'postgres://db/x?options=-csearch_path%3Dfoo' })).toContain('"options"');
    expect(faultsOf({ DATABASE_URL: 'postgres://db/x?sslmode=require' })).toBe('');
  });

  test('an encryption key is 32 bytes, in hexadecimal or Base64', () => {
    const bytes = Buffer.alloc(32, 7);
    expect(readConfig({ ENCRYPTION_KEY: bytes.toString('hex') }).ENCRYPTION_KEY).toEqual(bytes);
    expect(readConfig({ ENCRYPTION_KEY: bytes.toString('base64') }).ENCRYPTION_KEY).toEqual(bytes);
  });

  test('an empty variable counts as absent, and a trailing slash of the public address is dropped', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: 'https://help.example/' })).toMatchObject({
      PORT: 8080,
      PUBLIC_URL: 'https://help.example',
    });
  });
});
