import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { completion } from '../providers/completion.ts';
import { readAsked } from '../providers/read-asked.ts';
import type { Moments } from './moments.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { type Pace, paceSchema } from './pace.ts';
import { pacedAnswer } from './paced-answer.ts';

/**
 * This program is a language model in OpenAI's dialect: it writes fifty words a second, thinks and continues for as
 * long as it was told at `/pace`, and lists its times at `/moments`. The port is its argument.
 */
const sentence = `${pacedAnswer} [1].`;
const spacingMs = 20;
/** Its multiples fill the spread evenly, so that no two streams that are opened together go in step. */
const goldenRatio = 0.618_034;

const moments = new Map<number, Moments>();
let pace: Pace = { shortestThoughtMs: 0, thoughtSpreadMs: 0, sentences: 1 };
const server = createServer(async (request, response) => {
  if (request.url === '/moments') return void response.end(JSON.stringify([...moments.values()]));
  if (request.url === '/pace') {
    pace = paceSchema.parse(await json(request));
    return void response.end();
  }
  const asked = await readAsked(request);
  const [number = '0'] = /\d+(?=\)\s*<\/question>)/u.exec(asked.messages.at(-1)?.content ?? '') ?? [];
  await answer(Number(number), asked.stream, response);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
process.once('SIGTERM', () => process.exit(0));

async function answer(number: number, stream: boolean, response: ServerResponse): Promise<void> {
  const noted: Moments = { number, isCut: false };
  moments.set(number, noted);
  response.on('close', () => {
    noted.endedAt = monotonicMs();
    noted.isCut = !response.writableFinished;
  });
  const { shortestThoughtMs, thoughtSpreadMs, sentences } = pace;
  await wait(shortestThoughtMs + thoughtSpreadMs * ((number * goldenRatio) % 1));
  const text = Array.from({ length: sentences }, () => sentence).join(' ');
  const words = text.split(/(?= )/u);
  if (!stream) return void (await answerWhole(text, words.length, response));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of words) {
    if (response.destroyed) return;
    noted.wordAt ??= monotonicMs();
    response.write(`data: ${JSON.stringify(completion({ delta: { content } }))}\n\n`);
    await wait(spacingMs);
  }
  response.end('data: [DONE]\n\n');
}

/** A client without streaming waits for as long as it takes to write. */
async function answerWhole(text: string, words: number, response: ServerResponse): Promise<void> {
  await wait(words * spacingMs);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(completion({ message: { role: 'assistant', content: text } })));
}
