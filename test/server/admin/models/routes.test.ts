import { describe, expect, test } from 'vitest';
import { startKeyedProvider } from '../../../helpers/models/providers/keyed-provider.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const apiKey = 'sk-proj-good-key-x4Qd';
const provider = await startKeyedProvider({
  accounts: { [apiKey]: 'good', 'sk-proj-empty-key-9fQQ': 'empty' },
  models: { small: 'Parcels arrive within three working days [1].' },
});
const logged: string[] = [];
const server = await openTestServer({
  runtime: {
    environment: { OPENAI_BASE_URL: provider.baseUrl, LOG_LEVEL: 'info' },
    logged: { write: (line: string) => void logged.push(line) },
  },
});
const { operate, runtime, makeWorkspace } = server;
const shop = await makeWorkspace({ name: 'Shop' });
const second = await makeWorkspace({ name: 'Second', owner: shop.owner });
const other = await makeWorkspace({ name: 'Other' });
const join = (email: string, role: 'owner' | 'agent', workspaceIds?: readonly string[]) =>
  signInPerson(server, {
    ...{ email: `${email}@shop.example`, role, ownerId: shop.owner },
    ...(workspaceIds !== undefined && { workspaceIds }),
  });
await signInPerson(server, { email: 'op@x.example', role: 'operator', ownerId: other.owner });
const owner = await join('owner', 'owner');
const limited = await join('limited', 'owner', [shop.id]);
const agent = await join('agent', 'agent');
const base = `/admin/v1/workspaces/${shop.id}`;
const place = `${base}/model-keys/openai`;
const openai = async () => {
  const { providers } = (await owner.call('GET', `${base}/models`)).json();
  return providers.find((each: { provider: string }) => each.provider === 'openai');
};
const question = 'How many working days until parcels arrive?';
const ask = async ({ id, key }: { readonly id: string; readonly key: string }) => {
  await server.addDocument(id, '# Delivery\n\nParcels arrive within three working days.');
  provider.asked.length = 0;
  const answered = await server.query(key, { query: question });
  expect(answered.statusCode).toBe(200);
  return provider.asked.map((asked) => asked.key);
};

describe('the keys of an owner', () => {
  test('without any, the list says so, and answers are quoted', async () => {
    const answer = (await owner.call('GET', `${base}/models`)).json();
    expect(answer).toMatchObject({ chosen: [], installation: [] });
    expect(await openai()).toMatchObject({ title: 'OpenAI', installation_key: false, own_key: null });
    expect(await ask(shop)).toEqual([]);
  });

  test('a key that does not work is not stored, unless the person says so', async () => {
    const wrong = { api_key: 'sk-proj-empty-key-9fQQ', model: 'small' };
    const refused = await owner.call('PUT', place, wrong);
    expect(refused.json()).toMatchObject({ stored: false, trial: { outcome: 'no_credit' } });
    expect(await openai()).toMatchObject({ own_key: null });
    const forced = await owner.call('PUT', place, { ...wrong, store_anyway: true });
    expect(forced.json()).toMatchObject({ stored: true, trial: { outcome: 'no_credit' } });
    expect(await openai()).toMatchObject({ own_key: { last_four: '9fQQ', trial: { outcome: 'no_credit' } } });
  });

  test('a key that works takes its place, and is never returned or logged', async () => {
    const saved = await owner.call('PUT', place, { api_key: apiKey, model: 'small' });
    expect(saved.json()).toMatchObject({ stored: true, trial: { outcome: 'answered', tokens: 14 } });
    const tried = await owner.call('POST', `${place}/try`, { model: 'large' });
    expect(tried.json()).toMatchObject({ stored: true, trial: { outcome: 'unknown_model' } });
    expect(await openai()).toMatchObject({ own_key: { last_four: 'x4Qd', set_by: 'owner' } });
    const list = await owner.call('GET', `${base}/models`);
    const audit = await owner.call('GET', `${base}/audit-log.csv`);
    const texts = [saved.body, tried.body, list.body, audit.body, logged.join('')].join('\n');
    expect(texts).not.toContain(apiKey.slice(0, 12));
    expect(audit.body).toContain('"model_key_set"');
  });

  test('all workspaces of the owner answer with it once they choose a model, and no others', async () => {
    const chosen = await owner.call('PATCH', base, { settings: { model: 'openai:small' } });
    expect(chosen.statusCode).toBe(200);
    expect(new Set(await ask(shop))).toEqual(new Set([apiKey]));
    await operate('PATCH', `/workspaces/${second.id}`, { settings: { model: 'openai:small' } });
    expect(new Set(await ask(second))).toEqual(new Set([apiKey]));
    const theirs = await operate('PATCH', `/workspaces/${other.id}`, { settings: { model: 'openai:small' } });
    expect(theirs.json()).toMatchObject({ code: 'invalid_settings' });
    expect(await ask(other)).toEqual([]);
    const { chosen: chain } = (await owner.call('GET', `${base}/models`)).json();
    const measured = { answers: 1, median_ms: expect.any(Number) };
    expect(chain).toEqual([{ model: 'openai:small', key: 'own', ...measured }]);
  });

  test('a chain is checked model by model, and the panel for trials offers it', async () => {
    const mixed = await owner.call('PATCH', base, { settings: { model: 'openai:small, groq:fast' } });
    expect(mixed.json()).toMatchObject({ code: 'invalid_settings' });
    const chain = 'openai:large, openai:small';
    expect((await owner.call('PATCH', base, { settings: { model: chain } })).statusCode).toBe(200);
    expect((await owner.call('GET', `${base}/ask`)).json().models).toEqual([
      'openai:large',
      'openai:small',
      'none',
    ]);
    const rehearsed = await owner.call('POST', `${base}/ask`, { query: question, model: 'openai:small' });
    expect(rehearsed.json().decision).toMatchObject({ model: { name: 'openai:small' } });
  });

  test('the removal of a key leaves its models out, and a second one says that there is none', async () => {
    expect((await owner.call('DELETE', place)).statusCode).toBe(204);
    expect((await owner.call('DELETE', place)).json()).toMatchObject({ code: 'model_key_not_found' });
    expect((await owner.call('POST', `${place}/try`, { model: 'small' })).statusCode).toBe(404);
    expect(await ask(shop)).toEqual([]);
    const { chosen } = (await owner.call('GET', `${base}/models`)).json();
    expect(chosen).toMatchObject([{ key: 'none' }, { key: 'none' }]);
  });

  test('a key needs a provider that has keys, and the form of a key', async () => {
    const unknown = await owner.call('PUT', `${base}/model-keys/ollama`, { api_key: apiKey, model: 'small' });
    expect(unknown.json()).toMatchObject({ code: 'model_key_not_found' });
    const short = await owner.call('PUT', place, { api_key: 'short', model: 'small' });
    expect(short.json()).toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('who may set keys', () => {
  test('owners of all workspaces and the operator may, and nobody else', async () => {
    const body = { api_key: apiKey, model: 'small' };
    for (const person of [limited, agent]) {
      expect((await person.call('PUT', place, body)).json()).toMatchObject({ code: 'permission_denied' });
      expect((await person.call('DELETE', place)).json()).toMatchObject({ code: 'permission_denied' });
    }
    expect((await limited.call('GET', `${base}/models`)).statusCode).toBe(200);
    expect((await agent.call('GET', `${base}/models`)).statusCode).toBe(403);
    expect((await operate('PUT', `/workspaces/${shop.id}/model-keys/openai`, body)).statusCode).toBe(200);
    expect(await runtime.modelKeys.list(shop.owner)).toMatchObject([{ setBy: 'operator' }]);
  });
});
