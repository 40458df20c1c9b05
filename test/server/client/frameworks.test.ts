import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import type { UIMessage } from 'ai';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { ParleyChatTransport } from '../../../server/client/ai.ts';
import { parleyRoute } from '../../../server/client/next.ts';
import { useBundler } from '../../../server/pages/bundler.ts';
import { chromiumPath, openBrowser } from '../../helpers/servers/browser/open-browser.ts';
import { openStreamServer, question } from '../../helpers/servers/open-stream-server.ts';

const server = await openStreamServer();
const { address, workspace } = server;
const options = { apiKey: workspace.key, baseUrl: address };
const post = (body: string) => new Request('http://shop.example/api/parley', { method: 'POST', body });

describe('a route', () => {
  test('answers the page, in the session and as the person that it names', async () => {
    const { POST } = parleyRoute({
      ...options,
      sessionOf: () => 'session-1',
      userOf: async () => ({ userId: 'customer-7', identitySecret: workspace.identitySecret }),
    });
    const text = await (await POST(post(JSON.stringify({ query: question })))).text();
    expect(text).toContain('"type":"final"');
    const stored = await server.runtime.database.kysely
      .selectFrom('conversation')
      .select(['session_id', 'customer_user_id'])
      .where('session_id', '=', 'session-1')
      .executeTakeFirst();
    expect(stored).toEqual({ session_id: 'session-1', customer_user_id: 'customer-7' });
  });

  test.each(['', '[]', '{"query": ""}', '{"query": 7}', `{"query": "${'a'.repeat(30_000)}"}`])(
    'refuses a body that asks nothing: %.20s',
    async (body) => {
      const response = await parleyRoute(options).POST(post(body));
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_body' }]);
    },
  );
});

test('a transport of the AI SDK streams an answer with its sources, and goes on with the conversation', async () => {
  await server.addDocument(workspace.id, 'The shop opens at nine in the morning.', [], {
    url: 'https://shop.example/opening',
  });
  const transport = new ParleyChatTransport<UIMessage>(options);
  const ask = async (text: string) => {
    const message = { id: text, role: 'user' as const, parts: [{ type: 'text' as const, text }] };
    const chunks = [];
    const asked = { trigger: 'submit-message' as const, chatId: 'chat-1', messageId: undefined };
    const stream = await transport.sendMessages({ ...asked, messages: [message], abortSignal: undefined });
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };
  const chunks = await ask('When does the shop open in the morning?');
  expect(chunks.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['start', 'text-start', 'text-delta', 'text-end', 'source-url', 'finish']),
  );
  await ask('Thanks!');
  const counted = await server.runtime.database.kysely
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .select('conversation.id')
    .where('message.content', '=', 'Thanks!')
    .where('conversation.message_count', '=', 4)
    .execute();
  expect(counted).toHaveLength(1);
});

const page = `
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { useParley } from './react.ts';
function Chat() {
  const { messages, status, error, ask, retry, reset } = useParley({ endpoint: '/api/parley' });
  return (
    <>
      <button type="button" onClick={() => ask('${question}')}>Ask</button>
      <button type="button" onClick={retry}>Again</button>
      <button type="button" onClick={reset}>Reset</button>
      <output>{status}</output>
      {error && <strong>{error.detail}</strong>}
      {messages.map(({ id, role, content, final }) => (
        <p key={id} className={role} data-sources={final?.sources.length}>{content}</p>
      ))}
    </>
  );
}
createRoot(document.getElementById('app')).render(<StrictMode><Chat /></StrictMode>);
`;

describe.skipIf(chromiumPath === undefined)('useParley (skipped without Chromium)', async () => {
  if (chromiumPath === undefined) return;
  const browser = await openBrowser();
  afterAll(() => browser.close());
  const { outputFiles } = await useBundler(({ build }) =>
    build({
      stdin: {
        ...{ contents: page, loader: 'tsx', sourcefile: 'page.tsx' },
        resolveDir: new URL('../../../server/client', import.meta.url).pathname,
      },
      ...{ bundle: true, format: 'esm', write: false, jsx: 'automatic' },
    }),
  );

  test('shows the answer as it comes, tells a failure, tries again and begins anew', async () => {
    const { POST } = parleyRoute(options);
    let fails = false;
    const site = createServer(async (request, response) => {
      if (request.url === '/page.js')
        return response.setHeader('content-type', 'text/javascript').end(outputFiles[0]?.text);
      if (request.method !== 'POST') {
        return response
          .setHeader('content-type', 'text/html')
          .end(
            '<!doctype html><title>Shop</title><div id="app"></div><script type="module" src="/page.js"></script>',
          );
      }
      if (fails) return response.writeHead(500).end('<h1>Broken</h1>');
      const answer = await POST(post(await new Response(Readable.toWeb(request)).text()));
      response.setHeader('content-type', 'text/event-stream');
      for await (const part of answer.body ?? []) response.write(part);
      return response.end();
    });
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void site.close().closeAllConnections());
    const bound = site.address();
    const tab = await browser.newPage();
    await tab.goto(`http://localhost:${typeof bound === 'object' ? bound?.port : ''}`);
    const press = (name: string) => tab.getByRole('button', { name }).click();
    await press('Ask');
    await tab.locator('p.assistant[data-sources="1"]').getByText('three working days').waitFor();
    fails = true;
    await press('Ask');
    await tab.getByText('The route did not answer as expected.').waitFor();
    fails = false;
    await press('Again');
    await expect.poll(() => tab.locator('p.assistant[data-sources]').count()).toBe(2);
    expect(await tab.locator('p.user').count()).toBe(2);
    await press('Reset');
    await expect.poll(() => tab.locator('p').count()).toBe(0);
    await tab.close();
  });
});
