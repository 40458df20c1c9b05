import { beforeEach, expect, test } from 'vitest';
import { withEmbedQuery } from '../../../../helpers/models/embedding/with-embed-query.ts';
import { startFakeProvider } from '../../../../helpers/models/providers/fake-provider.ts';
import { openPublicServer } from '../../../../helpers/servers/open-public-server.ts';

const provider = await startFakeProvider({ good: 'Parcels arrive within three working days [1].' });
const embedded: string[] = [];
const server = await openPublicServer({
  runtime: { environment: { ...provider.environment, LLM_MODELS: 'openai:good' } },
  alter: ({ embedder }) => ({
    embedder: withEmbedQuery(embedder, (text) => {
      embedded.push(text);
      return embedder.embedQuery(text);
    }),
  }),
});
const masking = await server.openWorkspace({ settings: { mask_secrets: true } });
const plain = await server.openWorkspace();
for (const { id } of [masking, plain]) {
  await server.addDocument(id, 'Parcels arrive within three working days.');
}

const secrets = ['hunter2', '4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00'];
const query = `How many days until parcels arrive? My password: ${secrets.join(', ')}.`;
/** Its earlier turn explains "they" and is therefore part of the search. */
const followUp = 'And when do they arrive?';

const told = () => JSON.stringify([provider.mock.getRequests().map(({ body }) => body), embedded]);
const toldSecrets = () => secrets.filter((secret) => told().includes(secret));

beforeEach(() => {
  provider.mock.clearRequests();
  embedded.length = 0;
});

async function converse({ key }: typeof masking) {
  const first = (await server.query(key, { query })).json();
  await server.query(key, { query: followUp, conversation_id: first.conversation_id });
  await server.stream(key, { query });
  return first.conversation_id;
}

test('models read unchanged questions without the setting', async () => {
  await converse(plain);
  expect(toldSecrets()).toEqual(secrets);
});

test('models for answers and embeddings do not receive secrets of a question or of earlier turns', async () => {
  await converse(masking);
  expect(provider.mock.getRequests()).toHaveLength(4);
  expect(embedded.length).toBeGreaterThanOrEqual(3);
  expect(toldSecrets()).toEqual([]);
  expect(told()).toContain('[card]');
});

test("the visitor's text is stored unchanged", async () => {
  const id = await converse(masking);
  const { turns } = await server.runtime.conversations.loadMemory({
    workspaceId: masking.id,
    conversationId: id,
    sessionId: null,
    userId: null,
  });
  expect(turns.map(({ question }) => question)).toEqual([query, followUp]);
});

test('searches of the operator and of the public agent are masked too', async () => {
  await server.operate('POST', `/workspaces/${masking.id}/search`, { query });
  const found = await server.askByAddress(masking.id, {
    query: followUp,
    prev: query,
    mode: 'list',
    streaming: 'false',
  });
  expect(found.statusCode).toBe(200);
  expect(embedded).toHaveLength(2);
  expect(toldSecrets()).toEqual([]);
});
