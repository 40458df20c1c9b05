import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { completion } from './completion.ts';
import { type Asked, readAsked } from './read-asked.ts';

const words = ['Parcels', ' arrive', ' within', ' three', ' working', ' days', ' [1].'];
const wordsBeforeCut = 3;
const spacingMs = 5;

export interface StandInProvider {
  /** The address with `/v1`, as clients of OpenAI expect it. */
  readonly baseUrl: string;
  close(): void;
}

/** A language model in OpenAI's dialect with the fault that the name of the model selects. */
export async function startStandInProvider(): Promise<StandInProvider> {
  const server = createServer(async (request, response) => {
    await play(await readAsked(request), response);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function play(asked: Asked, response: ServerResponse): Promise<void> {
  const refuse = (status: number, headers: Record<string, string> = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: 'The stand-in does as it is told.' } }));
  switch (asked.model) {
    case 'limited':
      return void refuse(429, { 'retry-after': '60' });
    case 'broken':
      return void refuse(500);
    case 'locked':
      return void refuse(401);
    case 'hanging':
      return;
    case 'garbled':
      return void response.writeHead(200, typeOf(asked)).end('data: {"choices": [{"delta"\n\n');
    case 'cut':
      await write(asked, response, wordsBeforeCut);
      return void response.destroy();
    default:
      await write(asked, response, words.length);
      response.end(asked.stream ? 'data: [DONE]\n\n' : undefined);
  }
}

async function write(asked: Asked, response: ServerResponse, upTo: number): Promise<void> {
  response.writeHead(200, typeOf(asked));
  if (!asked.stream) {
    const whole = JSON.stringify(completion({ message: { role: 'assistant', content: words.join('') } }));
    response.write(upTo === words.length ? whole : whole.slice(0, whole.length / 2));
    await wait(spacingMs);
    return;
  }
  for (const [index, content] of words.slice(0, upTo).entries()) {
    if (index > 0) await wait(spacingMs);
    response.write(`data: ${JSON.stringify(completion({ delta: { content } }))}\n\n`);
  }
  await wait(spacingMs);
}

function typeOf({ stream }: Asked) {
  return { 'content-type': stream ? 'text/event-stream' : 'application/json' };
}
