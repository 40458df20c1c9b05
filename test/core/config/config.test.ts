import { describe, expect, test } from 'vitest';
import { StartError } from '../../../core/base/errors.ts';
import { readConfig } from '../../../core/config/config.ts';

const faultsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** Each provider has what it needs, so that no missing variable adds a second error. */
const provided = { OPENAI_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1' };
const variables = Object.keys(readConfig({}));

describe('readConfig', () => {
  test('accepts an empty environment for a single machine', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', LOG_LEVEL: 'info', TRUST_PROXY: [] });
    expect(config.DATA_DIR).toMatch(/\/data$/);
    expect(config.DATABASE_URL).toBeUndefined();
  });

  test('names each invalid variable on its own line, with its value and the valid values', () => {
    const lines = faultsOf({ PORT: 'http', LOG_LEVEL: 'loud', PUBLIC_URL: 'example.com' }).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('PORT has the invalid value "http". Set it to a port number from 0 to 65535.');
    expect(lines[1]).toContain('PUBLIC_URL has the invalid value "example.com"');
    expect(lines[2]).toContain('LOG_LEVEL has the invalid value "loud"');
  });

  test('asks in one line for the address that mailed links lead to', () => {
    const mail = { SMTP_URL: 'smtp://mail.acme.example', MAIL_FROM: 'parley@acme.example' };
    expect(faultsOf(mail)).toMatch(/^PUBLIC_URL is not set, but SMTP_URL is: .*\.$/);
    expect(faultsOf({ ...mail, PUBLIC_URL: 'https://parley.acme.example' })).toBe('');
  });

  test.each([
    ['ADMIN_TOKEN', 'short'],
    ['ENCRYPTION_KEY', 'not a key at all'],
    ['ADMIN_TOKEN_PREVIOUS', 'short'],
    ['ENCRYPTION_KEY_PREVIOUS', `${'a'.repeat(64)},not a key at all`],
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['REDIS_URL', 'http://:hunter2@redis'],
  ])('never prints an invalid %s', (name, value) => {
    const message = faultsOf({ [name]: value });
    expect(message).toContain(`${name} has an invalid value`);
    expect(message).not.toContain(value);
  });

  test('rejects a database URL whose options would override the search path', () => {
    expect(faultsOf({ DATABASE_URL: 'postgres://db/x?options=-csearch_path%3Dfoo' })).toContain('"options"');
    expect(faultsOf({ DATABASE_URL: 'postgres://db/x?sslmode=require' })).toBe('');
  });

  test.each([
    ...['foo', 'foo bar', 'localhost:5432/parley', '://', 'postgres://[', 'postgres://db:port/parley', '%'],
    ...[
      'postgres',
      'http://db/parley',
      'postgres://a:%zz@db/parley',
      '\u0000',
      'postgres://db/x?options=-csearch_path%3Dfoo',
    ],
  ])('reports DATABASE_URL=%j in one line', (value) => {
    expect(faultsOf({ DATABASE_URL: value })).toBe(
      'DATABASE_URL has an invalid value. Set it to a postgres:// URL without an "options" parameter, or leave it empty for the embedded database.',
    );
  });

  test.each(['foo', 'redis:foo', 'redis://', 'redis://:%zz@redis', 'redis://['])(
    'reports REDIS_URL=%j in one line',
    (value) => {
      expect(faultsOf({ REDIS_URL: value })).toBe(
        'REDIS_URL has an invalid value. Set it to a redis:// URL, or leave it empty to keep the queue in the database.',
      );
    },
  );

  test.each(['foo', '%', '[', '://', 'redis://[', '-1', '\u0000', 'a,b:c', '{}'])(
    'accepts a variable with the value %j, or reports it by name in one line',
    (value) => {
      for (const name of variables) {
        let fault: unknown;
        try {
          readConfig({ ...provided, [name]: value });
        } catch (error) {
          fault = error;
        }
        if (fault === undefined) continue;
        expect(fault, name).toBeInstanceOf(StartError);
        expect(fault).toMatchObject({ message: expect.stringMatching(new RegExp(`^${name} .+\\.$`)) });
      }
    },
  );

  test('accepts an encryption key of 32 bytes, in hexadecimal or Base64', () => {
    const bytes = Buffer.alloc(32, 7);
    expect(readConfig({ ENCRYPTION_KEY: bytes.toString('hex') }).ENCRYPTION_KEY).toEqual(bytes);
    expect(readConfig({ ENCRYPTION_KEY: bytes.toString('base64') }).ENCRYPTION_KEY).toEqual(bytes);
    const previous = `${bytes.toString('hex')}, ${bytes.toString('base64')}`;
    expect(readConfig({ ENCRYPTION_KEY_PREVIOUS: previous }).ENCRYPTION_KEY_PREVIOUS).toEqual([bytes, bytes]);
    expect(readConfig({}).ENCRYPTION_KEY_PREVIOUS).toEqual([]);
  });

  test('treats an empty variable as absent, and removes a trailing slash of PUBLIC_URL', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: 'https://help.example/' })).toMatchObject({
      PORT: 8080,
      PUBLIC_URL: 'https://help.example',
    });
  });

  test('keeps the order of models, whose names may contain colons', () => {
    const config = readConfig({ LLM_MODELS: 'openai:gpt-4o-mini, ollama:llama3.2:3b', OPENAI_API_KEY: 'k' });
    expect(config.LLM_MODELS).toEqual([
      { provider: 'openai', model: 'gpt-4o-mini' },
      { provider: 'ollama', model: 'llama3.2:3b' },
    ]);
    expect(readConfig({}).LLM_MODELS).toEqual([]);
  });

  test.each(['gpt-4o', 'openai:', 'acme:model', 'openai:a,', 'openai:two words'])(
    'reports LLM_MODELS=%j with the valid format',
    (value) => {
      const message = faultsOf({ LLM_MODELS: value, OPENAI_API_KEY: 'k' });
      expect(message).toContain(
        `LLM_MODELS has the invalid value ${JSON.stringify(value)}. Set it to a comma-separated list of provider:model`,
      );
      expect(message).not.toContain('\n');
    },
  );

  test('names the missing variable of a provider once', () => {
    const lines = faultsOf({
      LLM_MODELS: 'openai:a,openai:b,anthropic:c',
      EMBEDDING_MODEL: 'openai:d',
    }).split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^OPENAI_API_KEY is not set, but .* openai, which needs it\. /),
      'ANTHROPIC_API_KEY is not set, but LLM_MODELS uses the provider anthropic, which needs it. Set ANTHROPIC_API_KEY, or remove the provider from LLM_MODELS.',
    ]);
  });

  test('needs no key for Ollama, and only the URL for a compatible server', () => {
    expect(faultsOf({ LLM_MODELS: 'ollama:llama3.2' })).toBe('');
    expect(faultsOf({ LLM_MODELS: 'openai-compatible:x' })).toContain(
      'OPENAI_COMPATIBLE_BASE_URL is not set',
    );
    const address = 'http://127.0.0.1:8000/v1/';
    expect(
      readConfig({ LLM_MODELS: 'openai-compatible:x', OPENAI_COMPATIBLE_BASE_URL: address }),
    ).toMatchObject({
      OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:8000/v1',
    });
  });

  test('rejects an embedding model of a provider without a suitable model', () => {
    expect(faultsOf({ EMBEDDING_MODEL: 'anthropic:x', ANTHROPIC_API_KEY: 'k' })).toContain(
      'EMBEDDING_MODEL has the invalid value',
    );
  });

  test('accepts a model for recordings and one for pictures, of providers that have them', () => {
    const key = { GROQ_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };
    const models = { TRANSCRIPTION_MODEL: 'groq:whisper-large-v3', VISION_MODEL: 'anthropic:claude' };
    expect(faultsOf({ ...models, ...key })).toBe('');
    expect(faultsOf({ ...models, TRANSCRIPTION_MODEL: 'anthropic:x', ...key })).toContain(
      'TRANSCRIPTION_MODEL has the invalid value',
    );
    expect(faultsOf(models)).toContain('GROQ_API_KEY is not set, but TRANSCRIPTION_MODEL uses the provider');
  });

  test('never prints the invalid key of a provider', () => {
    const message = faultsOf({ OPENAI_API_KEY: 'hunter2 hunter2' });
    expect(message).toContain('OPENAI_API_KEY has an invalid value');
    expect(message).not.toContain('hunter2');
  });
});
