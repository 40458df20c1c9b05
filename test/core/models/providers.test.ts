import { MODEL_PROVIDER_CONFIG } from 'langchain/chat_models/universal';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/config/config.ts';
import { parseModelChoice } from '../../../core/config/model-choice.ts';
import { PROVIDERS } from '../../../core/config/provider-table.ts';
import { ModelPool } from '../../../core/models/model-pool.ts';
import { providerSettings } from '../../../core/models/provider-settings.ts';
import { startStrictServer } from '../../helpers/models/providers/strict-server.ts';

/** Asks the models of an environment in turn. Returns the addresses and keys that the server was asked with. */
async function askAll(environment: (url: string) => Record<string, string>) {
  const { asked, url } = await startStrictServer(() => ({ content: 'Hi.' }));
  const config = readConfig(environment(url));
  const pool = new ModelPool({ config, clock: { now: () => new Date() }, log: { warn() {} } });
  const { signal } = new AbortController();
  for (const { model } of await pool.inOrder(null)) {
    const pieces = model.write({
      messages: [{ role: 'user', text: 'Hello?' }],
      temperature: null,
      streamed: false,
      signal,
    });
    for await (const { text } of pieces) expect(text).toBe('Hi.');
  }
  return asked.map(({ url: path, headers, body }) => ({
    path,
    model: body.model,
    key: headers['api-key'] ?? headers.authorization,
  }));
}

const faultOf = (environment: Record<string, string>) => {
  try {
    return readConfig(environment).LLM_MODELS.length > 0 ? '' : 'no models';
  } catch (error) {
    return String(error);
  }
};

describe('servers with OpenAI’s API', () => {
  test('are as many as the environment names, beside well-known ones with their own variables', async () => {
    const asked = await askAll((url) => ({
      LLM_MODELS: 'lab:a,my-office:b,openrouter:openai/c,vllm:d',
      OPENAI_COMPATIBLE_BASE_URL_LAB: `${url}/lab/v1/`,
      OPENAI_COMPATIBLE_API_KEY_LAB: 'lab-key',
      OPENAI_COMPATIBLE_BASE_URL_MY_OFFICE: `${url}/office`,
      OPENROUTER_API_KEY: 'router-key',
      OPENROUTER_BASE_URL: `${url}/api/v1`,
      VLLM_BASE_URL: `${url}/v1`,
    }));
    expect(asked).toEqual([
      { path: '/lab/v1/chat/completions', model: 'a', key: 'Bearer lab-key' },
      { path: '/office/chat/completions', model: 'b', key: undefined },
      { path: '/api/v1/chat/completions', model: 'openai/c', key: 'Bearer router-key' },
      { path: '/v1/chat/completions', model: 'd', key: undefined },
    ]);
  });

  test('keep the query of their address', async () => {
    const asked = await askAll((url) => ({
      LLM_MODELS: 'lab:a',
      OPENAI_COMPATIBLE_BASE_URL_LAB: `${url}/lab?api-version=1`,
    }));
    expect(asked).toMatchObject([{ path: '/lab/chat/completions?api-version=1' }]);
  });

  test('are unknown without an address, and the error names the variable of a missing key', () => {
    expect(faultOf({ LLM_MODELS: 'lab:a' })).toContain('OPENAI_COMPATIBLE_BASE_URL_<NAME>');
    expect(faultOf({ LLM_MODELS: 'groq:a' })).toContain('GROQ_API_KEY is not set');
    expect(faultOf({ LLM_MODELS: 'groq:a', GROQ_API_KEY: 'k' })).toBe('');
    expect(faultOf({ LLM_MODELS: 'lab:a', OPENAI_COMPATIBLE_BASE_URL_LAB: 'nowhere' })).toContain(
      'OPENAI_COMPATIBLE_BASE_URL_LAB has the invalid value "nowhere"',
    );
    expect(faultOf({ LLM_MODELS: 'groq:a', GROQ_API_KEY: 'two words' })).not.toContain('two words');
  });
});

describe('Azure', () => {
  const azure = (url: string) => ({
    LLM_MODELS: 'azure_openai:our deployment'.replace(' ', '-'),
    AZURE_OPENAI_ENDPOINT: url,
    AZURE_OPENAI_API_KEY: 'azure-key',
  });

  test('is asked at its v1 address with its own header', async () => {
    expect(await askAll(azure)).toEqual([
      { path: '/openai/v1/chat/completions', model: 'our-deployment', key: 'azure-key' },
    ]);
  });

  test('is asked at the address of the deployment if a version is set', async () => {
    const asked = await askAll((url) => ({ ...azure(url), AZURE_OPENAI_API_VERSION: '2024-10-21' }));
    expect(asked).toMatchObject([
      {
        path: '/openai/deployments/our-deployment/chat/completions?api-version=2024-10-21',
        key: 'azure-key',
      },
    ]);
  });

  test('needs an endpoint and a key', () => {
    const fault = faultOf({ LLM_MODELS: 'azure_openai:a' });
    expect(fault).toContain('AZURE_OPENAI_ENDPOINT is not set');
    expect(fault).toContain('AZURE_OPENAI_API_KEY is not set');
  });
});

describe('LangChain’s providers', () => {
  test('are known by the names of initChatModel', () => {
    expect(Object.keys(MODEL_PROVIDER_CONFIG).filter((name) => PROVIDERS[name] === undefined)).toEqual([]);
  });

  test('whose package is missing stop the start with the command that installs it', async () => {
    const config = readConfig({ LLM_MODELS: 'cohere:command-r' });
    const pool = new ModelPool({ config, clock: { now: () => new Date() }, log: { warn() {} } });
    await expect(pool.inOrder(null)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('npm install --save-prod @langchain/cohere'),
    });
  });

  test('whose package is missing do not keep a workspace that prefers them from answers', async () => {
    const warnings: object[] = [];
    const log = { warn: (facts: object) => void warnings.push(facts) };
    const config = readConfig({ LLM_MODELS: 'vllm:a' });
    const pool = new ModelPool({ config, clock: { now: () => new Date() }, log });
    for (let times = 0; times < 2; times += 1) {
      expect((await pool.inOrder('cohere:command-r')).map(({ model }) => model.name)).toEqual(['vllm:a']);
    }
    expect(warnings).toHaveLength(1);
  });

  test.each([
    ['anthropic:claude-sonnet-4-5', { ANTHROPIC_API_KEY: 'k' }],
    ['google:gemini-2.0-flash', { GOOGLE_API_KEY: 'k' }],
    ['google-genai:gemini-2.0-flash', { GOOGLE_API_KEY: 'k' }],
    ['mistralai:mistral-small-latest', { MISTRAL_API_KEY: 'k' }],
    ['ollama:llama3.2:3b', {}],
  ])('%s is part of the installation', async (name, environment) => {
    const config = readConfig({ LLM_MODELS: name, ...environment });
    const pool = new ModelPool({ config, clock: { now: () => new Date() }, log: { warn() {} } });
    expect(await pool.inOrder(null)).toHaveLength(1);
  });

  test('take the address that an installation sets', () => {
    const config = readConfig({ MISTRAL_BASE_URL: 'http://127.0.0.1:9/', MISTRAL_API_KEY: 'k' });
    const choice = parseModelChoice('mistralai:x');
    expect(choice && providerSettings(config, choice)).toMatchObject({
      baseUrl: 'http://127.0.0.1:9',
      apiKey: 'k',
    });
  });
});
