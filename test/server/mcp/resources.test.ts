import { describe, expect, test } from 'vitest';
import { ingestDocument } from '../../../core/knowledge/indexing/ingest-document.ts';
import { openMcpServer } from '../../helpers/servers/open-mcp-server.ts';

const { openWorkspace, connect, runtime } = await openMcpServer();

interface Fields {
  readonly title?: string;
  readonly url?: string;
  readonly audience?: readonly string[];
}

async function upload(workspaceId: string, content: string, fields: Fields = {}): Promise<string> {
  const contentType = 'text/markdown';
  const bytes = Buffer.from(content);
  return (await runtime.documents.add({ workspaceId, bytes, contentType, ...fields })).id;
}

async function add(workspaceId: string, content: string, fields: Fields = {}): Promise<string> {
  const id = await upload(workspaceId, content, fields);
  await ingestDocument({ ...runtime, database: runtime.database.kysely }, id);
  return id;
}

const uriOf = (id: string) => `parley://documents/${id}`;

describe('the public documents', async () => {
  const { id } = await openWorkspace({ settings: { audiences: ['staff'] } });
  const text =
    'Orders are sent at once.\n\n## Sweden\n\nTwo days.\n\n### Islands\n\nFour days.\n\n## Norway\n\nThree days.';
  const open = await add(id, text, { title: 'Delivery', url: 'https://shop.example/delivery' });
  const closed = await add(id, 'Staff buy at half the price.', { audience: ['staff'] });
  const waiting = await upload(id, 'Not indexed yet.');
  const elsewhere = await add((await openWorkspace()).id, 'Of another workspace.');
  const gone = await add(id, 'Not for long.');
  await runtime.documents.delete(id, gone);
  const client = await connect(id);

  test('are listed, without any others', async () => {
    expect(await client.listResources()).toEqual({
      resources: [
        {
          uri: uriOf(open),
          name: 'Delivery',
          title: 'Delivery',
          description: 'The text of https://shop.example/delivery.',
          mimeType: 'text/markdown',
          annotations: { lastModified: expect.stringMatching(/^\d{4}-.+Z$/) },
        },
      ],
    });
  });

  test('are returned completely, with their headings', async () => {
    expect(await client.readResource({ uri: uriOf(open) })).toEqual({
      contents: [{ uri: uriOf(open), mimeType: 'text/markdown', text: `# Delivery\n\n${text}` }],
    });
  });

  test.each([
    ['for an audience', uriOf(closed)],
    ['that is not indexed', uriOf(waiting)],
    ['of another workspace', uriOf(elsewhere)],
    ['that was deleted', uriOf(gone)],
    ['that does not exist', uriOf('doc_unknown')],
    ['without an id', uriOf('')],
    ['with a file URL', 'file:///etc/passwd'],
    ['with an invalid URI', '\0'],
  ])('do not include a document %s', async (_what, uri) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32_002,
      message: expect.stringContaining('The document does not exist. Check its id.'),
    });
  });

  test('have a template for the ids in sources', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'parley://documents/{document_id}',
    ]);
  });

  test.each(['nonsense', ''])('reject the cursor %j', async (cursor) => {
    await expect(client.listResources({ cursor })).rejects.toMatchObject({ code: -32_602 });
  });
});

test('a document that is about to become public keeps its old text hidden', async () => {
  const { id } = await openWorkspace({ settings: { audiences: ['staff'] } });
  const url = 'https://shop.example/prices';
  const document = await add(id, 'Staff buy at half the price.', { url, audience: ['staff'] });
  await upload(id, 'Everybody buys at the full price.', { url });
  const client = await connect(id);
  expect((await client.listResources()).resources).toEqual([]);
  await expect(client.readResource({ uri: uriOf(document) })).rejects.toMatchObject({ code: -32_002 });
});

test('many documents are listed in pages, each once', async () => {
  const { id } = await openWorkspace();
  const added: string[] = [];
  for (let number = 0; number < 52; number += 1) added.push(uriOf(await add(id, `Page ${number}.`)));
  const client = await connect(id);
  const first = await client.listResources();
  expect(first.resources).toHaveLength(50);
  const second = await client.listResources({ cursor: first.nextCursor });
  expect(second.nextCursor).toBeUndefined();
  const listed = [...first.resources, ...second.resources].map(({ uri }) => uri);
  expect(listed.toSorted()).toEqual(added.toSorted());
});
