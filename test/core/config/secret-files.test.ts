import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/config/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeSecret(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function faultsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a secret in a file', () => {
  test.each([
    ['ADMIN_TOKEN', 'a-token-for-the-tests'],
    ['ADMIN_TOKEN_PREVIOUS', 'the-token-of-yesterday'],
    ['DATABASE_URL', 'postgres://parley:secret@db/parley'],
    ['REDIS_URL', 'redis://:secret@redis'],
    ['RENDERER_URL', 'http://browserless:3000/content?token=secret'],
    ['OPENAI_API_KEY', 'sk-one'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'https://user:secret@collector.example/v1/traces'],
  ])('is read for %s, without the line break at its end', (name, value) => {
    const path = writeSecret('secret', `${value}\n`);
    const config = readConfig({ [`${name}_FILE`]: path });
    expect(config).toMatchObject({ [name]: value, FROM_FILES: [name] });
  });

  test('is read for keys, and for providers and servers by name', () => {
    const key = 'ab'.repeat(32);
    const config = readConfig({
      ENCRYPTION_KEY_FILE: writeSecret('key', `${key}\r\n`),
      GROQ_API_KEY_FILE: writeSecret('groq', 'gsk-one\n'),
      OPENAI_COMPATIBLE_API_KEY_LAB_FILE: writeSecret('lab', 'lab-one'),
      OPENAI_COMPATIBLE_API_KEY_FILE: writeSecret('compatible', 'own-one'),
    });
    expect(config.ENCRYPTION_KEY?.toString('hex')).toBe(key);
    expect(config.PROVIDERS).toMatchObject({ groq: { apiKey: 'gsk-one' }, lab: { apiKey: 'lab-one' } });
    expect(config.OPENAI_COMPATIBLE_API_KEY).toBe('own-one');
    expect(config.PROVIDERS).not.toHaveProperty('file');
  });

  test('stops the start with one line if it is set both ways, missing, empty, too large or wrong', () => {
    const path = writeSecret('token', 'a-token-for-the-tests');
    expect(faultsOf({ ADMIN_TOKEN: 'another-token-of-tests', ADMIN_TOKEN_FILE: path })).toBe(
      'ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set. Remove one of them.',
    );
    const none = join(folder, 'none');
    expect(faultsOf({ ADMIN_TOKEN_FILE: none })).toBe(
      `ADMIN_TOKEN_FILE leads to ${none}, which cannot be read: there is no such file. Set it to a file that this user can read.`,
    );
    mkdirSync(join(folder, 'folder'));
    expect(faultsOf({ ADMIN_TOKEN_FILE: join(folder, 'folder') })).toMatch(/^[^\n]+ it is a folder\.[^\n]+$/);
    expect(faultsOf({ ADMIN_TOKEN_FILE: writeSecret('empty', ' \n') })).toMatch(
      /^[^\n]+which is empty\.[^\n]+$/,
    );
    const large = writeSecret('large', '');
    truncateSync(large, 70_000);
    expect(faultsOf({ ADMIN_TOKEN_FILE: large })).toMatch(/^[^\n]+too large for a secret\.[^\n]+$/);
    const wrong = faultsOf({ ENCRYPTION_KEY_FILE: writeSecret('wrong', 'not-a-key') });
    expect(wrong).toMatch(/^ENCRYPTION_KEY has an invalid value\./);
    expect(wrong).not.toContain('not-a-key');
  });

  test('is not looked for behind variables of other programs, and an empty one counts as absent', () => {
    const others = { SSL_CERT_FILE: '/none', LOG_LEVEL_FILE: '/none', NPM_API_KEY_FILE: '/none' };
    expect(readConfig({ ...others, ADMIN_TOKEN_FILE: '' })).toMatchObject({ FROM_FILES: [] });
  });
});

describe('a variable that is not known', () => {
  test.each([
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['ENCRYPTON_KEY', 'ENCRYPTION_KEY'],
    ['ENCRYPTION_KEY_FIEL', 'ENCRYPTION_KEY_FILE'],
    ['LLM_MODEL', 'LLM_MODELS'],
    ['DATA_DRI', 'DATA_DIR'],
    ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
  ])('stops the start if it is %s: %s was meant', (name, meant) => {
    expect(faultsOf({ [name]: 'x' })).toBe(
      `${name} is not known. Did you mean ${meant}? Correct or remove it.`,
    );
  });

  test.each([
    'POST',
    'PORTS',
    'HOSTNAME',
    'REDIS_PORT',
    'REDIS_HOST',
    'REDIS_DB',
    'DATABASE_HOST',
    'SMTP_USER',
    'SMTP_TLS',
    'MAILFROM',
    'LOGLEVEL',
    'DATADIR',
    'OPENAI_API_BASE',
    'OPENAI_ORG_ID',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'AZURE_OPENAI_API_TYPE',
    'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    'OTEL_TRACES_EXPORTER',
    'OTEL_LOG_LEVEL',
    'ZAI_API_KEY',
    'PATH',
    'OCI',
    'HEADER',
  ])('of another program does not: %s', (name) => {
    expect(faultsOf({ [name]: 'x' })).toBe('');
  });

  test('does not if the one that it is close to is set, or if it is empty', () => {
    expect(faultsOf({ DATABASE_URI: 'x', DATABASE_URL: 'postgres://db/parley' })).toBe('');
    expect(faultsOf({ DATABASE_ULR: ' ' })).toBe('');
  });
});
