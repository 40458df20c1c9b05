import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { openMcpServer } from '../../helpers/servers/open-mcp-server.ts';

const { openWorkspace, addDocument, connect, query, messagesOf, runtime } = await openMcpServer();

const workspace = await openWorkspace({
  name: 'Garden shop',
  settings: { description: 'All about spades.' },
});
const client = await connect(workspace.id);

let parcels: Awaited<ReturnType<typeof addDocument>>;
let trade: Awaited<ReturnType<typeof addDocument>>;

beforeAll(async () => {
  parcels = await addDocument(
    workspace.id,
    [
      'Parcels arrive within three working days.',
      'Engraving a spade costs 30 euros.',
      'Sharpening a pair of shears costs 14 euros.',
    ].join('\n\n'),
  );
  trade = await addDocument(workspace.id, 'The trade discount on bulk orders is twelve per cent.', ['trade']);
});

async function call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
}

const textOf = ({ content }: CallToolResult) => (content[0]?.type === 'text' ? content[0].text : '');

const question = 'How many working days until parcels arrive?';

test('introduces itself with the name of the workspace', async () => {
  expect(client.getServerVersion()).toMatchObject({ name: 'parley', title: 'Garden shop' });
  expect(client.getInstructions()).toBe('All about spades.');
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true }, resources: {} });
});

describe('the list of tools', async () => {
  const { tools } = await client.listTools();

  test('contains tools to ask, search and fetch, each with a description and schemas', () => {
    expect(tools.map(({ name }) => name)).toEqual(['ask', 'search', 'fetch']);
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        inputSchema: { type: 'object', required: [expect.stringMatching(/^(query|id)$/)] },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      });
    }
  });

  test('has schemas that match the results', async () => {
    for (const { name, outputSchema } of tools) {
      const validate = new Ajv({ strict: false }).compile(outputSchema ?? false);
      const args = name === 'fetch' ? { id: parcels.id } : { query: question };
      const { structuredContent } = await call(name, args);
      expect(validate(structuredContent), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});

describe('ask', () => {
  test('answers with sources, as structured content and as text', async () => {
    const result = await call('ask', { query: question });
    expect(result.structuredContent).toEqual({
      answer: expect.stringContaining('three working days'),
      confidence: expect.stringMatching(/^(high|medium)$/),
      ...{
        tier: 'answer',
        probability: expect.any(Number),
        ai_generated: false,
        quoted: true,
        lead: expect.any(String),
      },
      sources: [
        {
          name: expect.any(String),
          url: null,
          uri: expect.stringMatching(/^parley:\/\/documents\/doc_\w+$/),
          snippet: expect.stringContaining('three working days'),
          relevance: expect.any(Number),
        },
      ],
      conversation_id: expect.stringMatching(/^conv_\w+$/),
    });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  });

  test('continues a conversation', async () => {
    const first = await call('ask', { query: 'Do you offer sharpening of shears?' });
    const conversation_id = first.structuredContent?.conversation_id;
    const second = await call('ask', { query: 'And how much does that cost?', conversation_id });
    expect(second.structuredContent).toMatchObject({
      answer: expect.stringContaining('Sharpening a pair of shears costs 14 euros.'),
      conversation_id,
    });
  });

  test.each(['conv_unknown', 'nonsense'])('rejects the unknown conversation %s', async (id) => {
    const result = await call('ask', { query: question, conversation_id: id });
    expect([result.isError, textOf(result)]).toEqual([
      true,
      'The conversation does not exist. Check the conversation_id.',
    ]);
  });

  test('does not continue a conversation of the owner’s API', async () => {
    const conversation_id = (await query(workspace.key, { query: question })).json().conversation_id;
    expect(await call('ask', { query: question, conversation_id })).toMatchObject({ isError: true });
  });

  test('reports if the documents contain no answer', async () => {
    const { structuredContent } = await call('ask', { query: 'What is the capital of Peru?' });
    expect(structuredContent).toMatchObject({ confidence: 'low', sources: [] });
  });
});

describe('search', () => {
  test('finds the best passages', async () => {
    const result = await call('search', { query: question });
    expect(result.structuredContent).toEqual({
      results: [
        {
          id: parcels.id,
          title: expect.any(String),
          name: expect.any(String),
          url: null,
          uri: expect.stringMatching(/^parley:/),
          text: expect.stringContaining('three working days'),
          relevance: expect.any(Number),
        },
      ],
    });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  });

  test('finds at most the requested number', async () => {
    await addDocument(workspace.id, 'Parcels to islands arrive within six working days.');
    const found = async (top_k: number) =>
      (await call('search', { query: question, top_k })).structuredContent?.results;
    expect(await found(1)).toHaveLength(1);
    expect(await found(20)).toHaveLength(2);
  });
});

describe('fetch', () => {
  test('returns the complete document of a search result, without counting a message', async () => {
    const before = await messagesOf(workspace.owner);
    const result = await call('fetch', { id: parcels.id });
    expect(result.structuredContent).toEqual({
      id: parcels.id,
      title: expect.any(String),
      text: expect.stringMatching(/three working days.+30 euros.+14 euros/s),
      url: null,
      metadata: { uri: `parley://documents/${parcels.id}`, updated_at: expect.stringMatching(/Z$/) },
    });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(await messagesOf(workspace.owner)).toBe(before);
  });

  test('does not find a hidden or unknown document', async () => {
    for (const id of [trade.id, 'doc_unknown', 'nonsense']) {
      const result = await call('fetch', { id });
      expect([result.isError, textOf(result)]).toEqual([true, 'The document does not exist. Check its id.']);
    }
  });
});

describe('both tools', () => {
  test.each(['ask', 'search'])('%s uses only public documents', async (name) => {
    const result = await call(name, { query: 'What is the trade discount on bulk orders?' });
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).not.toContain('twelve per cent');
  });

  test.each(['ask', 'search'])('%s counts as one message of the owner', async (name) => {
    const before = await messagesOf(workspace.owner);
    await call(name, { query: question });
    expect(await messagesOf(workspace.owner)).toBe(before + 1);
  });

  test.each([
    ['ask', {}],
    ['ask', { query: '' }],
    ['ask', { query: 5 }],
    ['ask', { query: 'x'.repeat(4_001) }],
    ['ask', { query: question, conversation_id: 5 }],
    ['search', { query: question, top_k: 0 }],
    ['search', { query: question, top_k: 21 }],
    ['search', { query: question, top_k: 'many' }],
    ['nothing', { query: question }],
  ])('rejects invalid arguments with a message and without counting: %s %j', async (name, args) => {
    const before = await messagesOf(workspace.owner);
    const result = await call(name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).not.toBe('');
    expect(await messagesOf(workspace.owner)).toBe(before);
  });

  test('reports an exhausted monthly quota', async () => {
    const poor = await openWorkspace({ plan: 'free' });
    const month = new Date().toISOString().slice(0, 7);
    await runtime.database.pool.query('insert into owner_usage values ($1, $2, 50)', [
      poor.owner,
      `${month}-01`,
    ]);
    const other = await connect(poor.id);
    const result = CallToolResultSchema.parse(
      await other.callTool({ name: 'ask', arguments: { query: question } }),
    );
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /monthly message quota of the owner is used up\. .*\. Try again in \d+ seconds\.$/,
    );
  });
});
