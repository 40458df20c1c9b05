import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelPiece } from '../../../../core/models/chat-model.ts';
import { openaiModel } from '../../../../core/models/openai/openai-model.ts';

const event = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`;
const says = (content: string) => event({ choices: [{ delta: { content } }] });
const calls = (name: string) => event({ choices: [{ delta: { tool_calls: [{ function: { name } }] } }] });
const used = event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } });

/** Reads the output of a provider that sends each event in its own packet, after the previous one was read. */
async function read(packets: readonly string[]): Promise<readonly ModelPiece[]> {
  const rest = [...packets];
  let send = () => {};
  const provider = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send = () => {
      const next = rest.shift();
      if (next === undefined) response.end('data: [DONE]\n\n');
      else response.write(next);
    };
    send();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void provider.close());
  await once(provider, 'listening');
  const bound = provider.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const model = openaiModel(
    { provider: 'openai', model: 'test' },
    { apiKey: '', baseUrl: `http://127.0.0.1:${port}` },
  );
  const pieces: ModelPiece[] = [];
  const { signal } = new AbortController();
  for await (const piece of model.write({ messages: [], temperature: null, streamed: true, signal })) {
    pieces.push(piece);
    send();
  }
  return pieces;
}

const text = (words: string) => ({ text: words, tokensUsed: 0, toolCalls: [] });

test('yields each piece as it arrives, and the usage at the end', async () => {
  expect(await read([says('Parcels'), says(' arrive'), `${says(' today.')}${used}`])).toEqual([
    ...[text('Parcels'), text(' arrive'), text(' today.')],
    { text: '', tokensUsed: 10, inputTokens: 7 },
  ]);
});

test('merges events that arrive together into one piece', async () => {
  expect(await read([says('Parcels'), says(' arrive') + says(' today') + says('.') + used])).toEqual([
    ...[text('Parcels'), text(' arrive today.')],
    { text: '', tokensUsed: 10, inputTokens: 7 },
  ]);
});

test('yields a tool call together with the text in its packet', async () => {
  const toolCalls = [{ name: 'orders', given: {} }];
  expect(await read([says('One moment.') + calls('orders')])).toEqual([
    { text: 'One moment.', tokensUsed: 0, toolCalls },
    { text: '', tokensUsed: 0 },
  ]);
});
