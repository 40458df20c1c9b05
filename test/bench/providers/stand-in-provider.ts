import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../../helpers/free-port.ts';

const words = ['Parcels', ' arrive', ' within', ' three', ' working', ' days', ' [1].'];
const wordsBeforeCut = 3;
const spacingMs = 5;
const unhurriedMs = 300;

const askedSchema = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.object({ content: z.string() })),
});

type Asked = z.output<typeof askedSchema>;

export interface StandInProvider {
  /** With `/v1`, as clients of OpenAI take it. */
  readonly baseUrl: string;
  /** When the first word went out, by the number that the question ends with. */
  readonly firstWords: ReadonlyMap<string, number>;
  /** Resolves with the time at which the next connection is closed from the other side. */
  nextLeft(): Promise<number>;
  /** Resolves when the next question is there and what there is to say at once was said. */
  nextAsked(): Promise<void>;
  close(): void;
}

/** A language model in OpenAI's dialect that does what the name of the model says. */
export async function startStandInProvider(): Promise<StandInProvider> {
  const firstWords = new Map<string, number>();
  let leaving = Promise.withResolvers<number>();
  let asking = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const asked = await read(request);
    response.on('close', () => {
      if (!response.writableFinished) leaving.resolve(performance.now());
    });
    const [number = ''] = /\d+(?=\)\s*<\/question>)/u.exec(asked.messages.at(-1)?.content ?? '') ?? [];
    await play(asked, response, () => void firstWords.set(number, performance.now()));
    asking.resolve();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    firstWords,
    nextLeft() {
      leaving = Promise.withResolvers();
      return leaving.promise;
    },
    nextAsked() {
      asking = Promise.withResolvers();
      return asking.promise;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  let body = '';
  for await (const bytes of request) body += bytes;
  return askedSchema.parse(JSON.parse(body));
}

async function play(asked: Asked, response: ServerResponse, begun: () => void): Promise<void> {
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
      await write(asked, response, { upTo: wordsBeforeCut, begun });
      return void response.destroy();
    case 'stuck':
      return write(asked, response, { upTo: wordsBeforeCut, begun });
    default:
      if (asked.model === 'unhurried') await wait(unhurriedMs);
      await write(asked, response, { upTo: words.length, begun });
      response.end(asked.stream ? 'data: [DONE]\n\n' : undefined);
  }
}

interface Writing {
  readonly upTo: number;
  begun(): void;
}

async function write(asked: Asked, response: ServerResponse, { upTo, begun }: Writing): Promise<void> {
  response.writeHead(200, typeOf(asked));
  if (!asked.stream) {
    const whole = JSON.stringify(completion({ message: { role: 'assistant', content: words.join('') } }));
    response.write(upTo === words.length ? whole : whole.slice(0, whole.length / 2));
    await wait(spacingMs);
    return;
  }
  for (const [index, content] of words.slice(0, upTo).entries()) {
    if (index === 0) begun();
    else await wait(spacingMs);
    response.write(`data: ${JSON.stringify(completion({ delta: { content } }))}\n\n`);
  }
  await wait(spacingMs);
}

function completion(said: object) {
  return { id: '1', created: 1, model: 'stand-in', choices: [{ index: 0, ...said, finish_reason: null }] };
}

function typeOf({ stream }: Asked) {
  return { 'content-type': stream ? 'text/event-stream' : 'application/json' };
}
