import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/config/config.ts';
import { keyProvider, PROVIDERS } from '../../../core/config/provider-table.ts';
import { tryKey } from '../../../core/models/key-trial.ts';
import { describeChain, KEY_PROVIDERS } from '../../../core/models/model-choices.ts';
import { startKeyedProvider } from '../../helpers/models/providers/keyed-provider.ts';
import { startStrictServer } from '../../helpers/models/providers/strict-server.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';

const good = 'sk-proj-good-key-1111';
const provider = await startKeyedProvider({
  accounts: { [good]: 'good', 'sk-proj-empty-key-22': 'empty', 'sk-proj-busy-key-333': 'limited' },
  models: { small: 'OK', mute: '' },
});

/** A clock on which each look takes a second. */
function tickingClock() {
  let seconds = 0;
  return {
    now: () => {
      seconds += 1;
      return new Date(seconds * 1_000);
    },
  };
}

function attempt(apiKey: string, model: string, baseUrl = provider.baseUrl) {
  const config = readConfig({ OPENAI_BASE_URL: baseUrl });
  return tryKey({ config, clock: tickingClock(), choice: { provider: 'openai', model }, apiKey });
}

describe('a try of a key', () => {
  test('says how fast the model answered, and for how many tokens', async () => {
    const answered = { model: 'small', outcome: 'answered', ms: 1_000, tokens: 14, reason: null };
    expect(await attempt(good, 'small')).toEqual(answered);
  });

  test.each([
    ['sk-proj-wrong-key-444', 'small', 'key_refused', null],
    ['sk-proj-empty-key-22', 'small', 'no_credit', expect.stringContaining('insufficient_quota')],
    ['sk-proj-busy-key-333', 'small', 'rate_limited', '429 Rate limit reached.'],
    [good, 'large', 'unknown_model', '404 The model large does not exist.'],
    [good, 'mute', 'failed', 'the answer is empty'],
  ] as const)('says why it did not work: %s, %s, %s', async (key, model, outcome, reason) => {
    expect(await attempt(key, model)).toMatchObject({ model, outcome, reason, tokens: 0 });
  });

  test('tells a server that is not there from one that refuses', async () => {
    const trial = await attempt(good, 'small', `http://127.0.0.1:${await freePort()}/v1`);
    expect(trial.outcome).toBe('unreachable');
  });

  test.each([
    [400, 'API key not valid. Please pass a valid API key.', 'key_refused'],
    [400, 'Your credit balance is too low to access the API.', 'no_credit'],
    [402, 'Pay first.', 'no_credit'],
    [400, 'Invalid model: tiny', 'unknown_model'],
    [403, 'Not allowed in your country.', 'key_refused'],
    [500, 'out of order', 'failed'],
  ] as const)('knows what providers say otherwise: %s %s', async (status, refuses, outcome) => {
    const { url } = await startStrictServer(() => ({ refuses, status }));
    expect(await attempt(good, 'tiny', url)).toMatchObject({ outcome });
  });

  test('repeats no part of the key, masked or not', async () => {
    const { url } = await startStrictServer(() => ({ refuses: `${good} or sk-proj-****1111`, status: 500 }));
    expect((await attempt(good, 'small', url)).reason).toBe('500 [redacted] or [redacted]');
  });
});

describe('the providers whose key an owner can bring', () => {
  test('are all that have an address and need a key alone', () => {
    const names = Object.keys(PROVIDERS).filter((name) => keyProvider({}, name) === name);
    expect(Object.keys(KEY_PROVIDERS).toSorted()).toEqual(names.toSorted());
    expect(keyProvider({}, 'google-genai')).toBe('google');
    expect(
      ['ollama', 'azure_openai', 'openai-compatible', 'lab'].map((name) => keyProvider({}, name)),
    ).toEqual([null, null, null, null]);
  });

  test('a chain says whose key each model has, and no model twice', () => {
    const config = readConfig({
      LLM_MODELS: 'openai:a,mistral:b',
      OPENAI_API_KEY: 'sk-x',
      MISTRAL_API_KEY: 'x',
    });
    const keys = new Map([['groq', 'gsk-own-key-12345']]);
    expect(describeChain(config, 'groq:c, mistral:b, xai:d', keys)).toEqual({
      chosen: [
        { model: 'groq:c', key: 'own' },
        { model: 'mistral:b', key: 'installation' },
        { model: 'xai:d', key: 'none' },
      ],
      installation: [{ model: 'openai:a', key: 'installation' }],
    });
  });
});
