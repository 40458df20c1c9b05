import { describe, expect, test } from 'vitest';
import { openModels } from '../../../core/answering/open-models.ts';
import { readConfig } from '../../../core/config/config.ts';
import { startKeyedProvider } from '../../helpers/models/providers/keyed-provider.ts';

const shared = 'sk-the-installations-1';
const ann = 'sk-the-key-of-ann-22222';
const ben = 'sk-the-key-of-ben-33333';

/** Opens models of a provider with accounts of the installation and of two owners. */
async function open(models: string) {
  const provider = await startKeyedProvider({
    accounts: { [shared]: 'good', [ann]: 'good', [ben]: 'good' },
    models: { small: 'OK', large: 'OK' },
  });
  const keys = new Map([
    ['own_ann', new Map([['openai', ann]])],
    ['own_ben', new Map([['openai', ben]])],
  ]);
  const counted: string[] = [];
  const lines: object[] = [];
  const write = (facts: unknown, text?: unknown) => void lines.push({ ...Object(facts), text });
  const { ownerModels, ...opened } = await openModels({
    config: readConfig({
      OPENAI_BASE_URL: provider.baseUrl,
      ...(models !== '' && { LLM_MODELS: models, OPENAI_API_KEY: shared }),
    }),
    log: { warn: write, error: write },
    clock: { now: () => new Date(0) },
    count: (model, outcome) => void counted.push(`${model} ${outcome}`),
    findKeys: async (owner) => keys.get(owner) ?? new Map(),
  });
  /** Asks as a workspace of an owner; returns the models and keys that were tried. */
  const ask = async (owner: string, model: string | null = null) => {
    provider.asked.length = 0;
    const complete = (await ownerModels(owner, model))?.complete ?? opened.complete;
    const { signal } = new AbortController();
    const failed = await complete?.({ messages: [], model, signal }).then(
      () => null,
      (error: unknown) => error,
    );
    return { failed, asked: provider.asked.map(({ model: name, key }) => `${name} ${key}`) };
  };
  return { ...provider, ask, counted, lines, keys, ownerModels };
}

describe('an owner with a key', () => {
  test("has their models called with it, and nobody else's", async () => {
    const { ask, counted } = await open('openai:small');
    expect((await ask('own_ann')).asked).toEqual([`small ${ann}`]);
    expect((await ask('own_ben', 'openai:large')).asked).toEqual([`large ${ben}`]);
    expect(counted).toEqual([]);
    expect((await ask('own_carl')).asked).toEqual([`small ${shared}`]);
    expect(counted).toEqual(['openai:small answered']);
  });

  test('has models where the installation has none', async () => {
    const { ask, ownerModels } = await open('');
    expect((await ask('own_ann', 'openai:small')).asked).toEqual([`small ${ann}`]);
    expect(await ownerModels('own_ann', null)).toBeNull();
    expect(await ownerModels('own_carl', 'openai:small')).toBeNull();
  });

  test("pauses their own models when their key fails, and never another's or the installation's", async () => {
    const { accounts, ask, lines } = await open('openai:small');
    delete accounts[ann];
    expect((await ask('own_ann')).asked).toEqual([`small ${ann}`]);
    // It is paused now: nothing is sent.
    expect(await ask('own_ann')).toMatchObject({ asked: [], failed: { code: 'provider_down' } });
    expect(await ask('own_ben')).toEqual({ asked: [`small ${ben}`], failed: null });
    expect(await ask('own_carl')).toEqual({ asked: [`small ${shared}`], failed: null });
    expect(lines).toMatchObject([{ owner: 'own_ann', failure: 'misconfigured' }]);
    expect(JSON.stringify(lines)).not.toContain(ann.slice(0, 8));
  });

  test('is answered at once after they replaced a key that failed', async () => {
    const { accounts, ask, keys } = await open('openai:small');
    delete accounts[ann];
    await ask('own_ann');
    keys.set('own_ann', new Map([['openai', ben]]));
    expect(await ask('own_ann')).toEqual({ asked: [`small ${ben}`], failed: null });
  });

  test('has the models of a chain tried in their order, then those of the installation', async () => {
    const { accounts, ask } = await open('openai:small');
    accounts[ann] = 'limited';
    const { asked } = await ask('own_ann', 'openai:large, xai:grok-4, openai:small');
    expect(asked).toEqual([`large ${ann}`, `small ${ann}`]);
  });
});
