import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openMcpServer } from '../../helpers/servers/open-mcp-server.ts';

const { makeWorkspace, openWorkspace, addDocument, connect, send, runtime } = await openMcpServer();

const question = 'What is the trade discount on bulk orders?';
const settings = { audiences: ['trade'], nlweb_enabled: false, mcp_enabled: false };
const closed = await makeWorkspace({ settings });
const sister = await makeWorkspace({ owner: closed.owner, settings });
const open = await openWorkspace({ settings: { audiences: ['trade'] } });

const addTradeDocument = (id: string) =>
  addDocument(id, 'The trade discount on bulk orders is twelve per cent.', ['trade']);
let closedDocument: Awaited<ReturnType<typeof addTradeDocument>>;

beforeAll(async () => {
  closedDocument = await addTradeDocument(closed.id);
  await addTradeDocument(sister.id);
  await addTradeDocument(open.id);
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const refusal = z.object({ code: z.string() });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

type Client = Awaited<ReturnType<typeof connect>>;

async function call(client: Client, name: string, args: Record<string, unknown>) {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
}

async function codeOf(id: string, headers: Record<string, string>) {
  return refusalOf(await send(id, ping, headers));
}

async function refusalOf(response: Response) {
  return [response.status, refusal.parse(await response.json()).code];
}

describe('an API key of the owner', () => {
  test('opens the documents of every audience, even if the workspace is not public', async () => {
    const client = await connect(closed.id, bearer(closed.key));
    const asked = await call(client, 'ask', { query: question });
    expect(asked.structuredContent).toMatchObject({ answer: expect.stringContaining('twelve per cent') });
    const found = await call(client, 'search', { query: question });
    expect(found.structuredContent).toMatchObject({ results: [{ id: closedDocument.id }] });
    const fetched = await call(client, 'fetch', { id: closedDocument.id });
    expect(fetched.structuredContent).toMatchObject({ text: expect.stringContaining('twelve per cent') });
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(1);
    const read = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(JSON.stringify(read)).toContain('twelve per cent');
  });

  test('opens the other workspaces of its owner', async () => {
    const client = await connect(sister.id, bearer(closed.key));
    const { structuredContent } = await call(client, 'ask', { query: question });
    expect(structuredContent).toMatchObject({ answer: expect.stringContaining('twelve per cent') });
  });

  test('opens no workspace of another owner, public or not', async () => {
    expect(await codeOf(open.id, bearer(closed.key))).toEqual([403, 'workspace_access_denied']);
    expect(await codeOf(closed.id, bearer(open.key))).toEqual([403, 'workspace_access_denied']);
  });

  test('needs the scope query, and reaches its own workspace alone if it was made for it', async () => {
    const [mute, narrow] = await Promise.all([
      runtime.apiKeys.create(closed.id, { name: 'Mute', scopes: ['search', 'documents:read'] }),
      runtime.apiKeys.create(closed.id, { name: 'Narrow', workspaces: 'own' }),
    ]);
    expect(await codeOf(closed.id, bearer(mute.value))).toEqual([403, 'insufficient_scope']);
    expect(await codeOf(sister.id, bearer(narrow.value))).toEqual([403, 'workspace_access_denied']);
    expect((await send(closed.id, ping, bearer(narrow.value))).status).toBe(200);
  });

  test('is required if the workspace is not public: without it the workspace is unknown', async () => {
    expect(await codeOf(closed.id, {})).toEqual([404, 'workspace_not_found']);
  });

  test('does not give an anonymous caller of the same workspace more access', async () => {
    const keyed = await connect(open.id, bearer(open.key));
    const { structuredContent } = await call(keyed, 'ask', { query: question });
    expect(structuredContent).toMatchObject({ answer: expect.stringContaining('twelve per cent') });
    const anonymous = await connect(open.id);
    const continued = await call(anonymous, 'ask', {
      query: 'How much was that again?',
      conversation_id: structuredContent?.conversation_id,
    });
    expect(continued).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'The conversation does not exist. Check the conversation_id.' }],
    });
    expect(JSON.stringify(await call(anonymous, 'search', { query: question }))).not.toContain('twelve');
  });
});

describe('an invalid key', () => {
  test.each([
    ['Bearer pk_unknown', 401, 'invalid_key'],
    ['Basic abc', 401, 'malformed_auth'],
  ])('is rejected, even if the workspace is public: %s', async (authorization, status, code) => {
    expect(await codeOf(open.id, { authorization })).toEqual([status, code]);
  });

  test('is rejected for an unknown workspace too', async () => {
    expect(await codeOf('ws_unknown', bearer(open.key))).toEqual([404, 'workspace_not_found']);
    expect(await codeOf('nonsense', bearer(open.key))).toEqual([404, 'workspace_not_found']);
  });
});

test('the limits of the key replace those of the IP address', async () => {
  const { value } = await runtime.apiKeys.create(open.id, {
    name: 'Narrow',
    rateLimitMinute: 3,
    rateLimitDay: 1_000,
  });
  const first = await send(open.id, ping, bearer(value));
  expect([first.status, first.headers.get('x-ratelimit-remaining-minute')]).toEqual([200, '2']);
  const batch = await send(open.id, [ping, ping, ping], bearer(value));
  expect(await refusalOf(batch)).toEqual([429, 'rate_limit_minute']);
  expect((await send(open.id, ping)).status).toBe(200);
});
