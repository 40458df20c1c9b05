import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { monotonicMs } from './monotonic-ms.ts';
import { streamedText } from './streamed-text.ts';
import { type StreamVisit, visitorsOrderSchema } from './visitors-order.ts';

/** This program plays the visitors: it opens streams and reports when the first word of each arrived. */
const order = visitorsOrderSchema.parse(JSON.parse(process.argv[2] ?? ''));
const agent = new Agent({ keepAlive: true });
const firstWord = /"(?:token|content)":"[^"]/u;
/** The latest time after the first word at which visitors leave, each at a moment of its own. */
const longestStayMs = 200;

const visits: StreamVisit[] = [];
for (let done = 0; done < order.streams; done += order.atOnce) {
  const numbers = Array.from({ length: order.atOnce }, (_, index) => order.firstNumber + done + index);
  visits.push(...(await Promise.all(numbers.map(visit))));
}
process.stdout.write(JSON.stringify(visits));
agent.destroy();

async function visit(number: number): Promise<StreamVisit> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = request(order.url, { method: 'POST', headers: order.headers, agent }, resolve);
  asking.on('error', reject);
  asking.end(order.body.replace('{{i}}', `${number}`));
  const response = await promise;
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  const word = Promise.withResolvers<number>();
  let received = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const now = monotonicMs();
    received += text;
    if (firstWord.test(received)) word.resolve(now);
  });
  // A client that leaves ends its response with an error of its own.
  response.on('error', () => asking.destroy());
  const wordAt = await Promise.race([word.promise, ended.then(() => Number.NaN)]);
  if (Number.isNaN(wordAt)) throw new Error(`no word came: ${response.statusCode} ${received}`);
  const left = order.leaves ? { leftAt: await leave(asking) } : {};
  await ended;
  return { number, wordAt, ...left, text: streamedText(received) };
}

async function leave(asking: ReturnType<typeof request>): Promise<number> {
  await wait(Math.random() * longestStayMs);
  const leftAt = monotonicMs();
  asking.destroy();
  return leftAt;
}
