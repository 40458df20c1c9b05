import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProductTarget } from './product-target.ts';

export interface FanOut {
  readonly open: number;
  /** Milliseconds between two tokens of one stream. */
  readonly gaps: readonly number[];
  readonly tokensPerSecond: number;
}

const newLine = 10;
/** From one stream to the next: each has to be searched for and admitted while those before it are read. */
const openingMs = 8;
const settlingMs = 1_500;
const windowMs = 6_000;

/** Opens so many streams, as many of each key as a key may have, and times what they send. */
export async function fanOut(target: ProductTarget, streams: number): Promise<FanOut> {
  const gaps: number[] = [];
  let measuring = false;
  let open = 0;
  const heard = (last: number, now: number) => {
    if (measuring && last > 0) gaps.push(now - last);
  };
  const sockets: Socket[] = [];
  for (let index = 0; index < streams; index += 1) {
    const key = target.keys[index % target.keys.length] ?? '';
    sockets.push(openStream(target, key, { heard, opened: () => (open += 1), closed: () => (open -= 1) }));
    await wait(openingMs);
  }
  await wait(settlingMs);
  measuring = true;
  const openAtStart = open;
  await wait(windowMs);
  measuring = false;
  for (const socket of sockets) socket.destroy();
  return { open: openAtStart, gaps, tokensPerSecond: Math.round((gaps.length * 1_000) / windowMs) };
}

interface Ears {
  heard(last: number, now: number): void;
  opened(): void;
  closed(): void;
}

function openStream(target: ProductTarget, key: string, { heard, opened, closed }: Ears): Socket {
  const { hostname, port, host } = new URL(target.address);
  const socket = connect(Number(port), hostname);
  // What the model says is passed on word by word: under `strict`, all but the first sentence waits for its end.
  const body = target.body.replace('{{i}}', `${Math.random()}`).replace(/}$/, ',"strictness":"fallback"}');
  let last = 0;
  socket.on('connect', () => {
    opened();
    socket.write(
      `POST /v1/query/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  socket.on('data', (data) => {
    const now = performance.now();
    for (let at = 0; at + 1 < data.length; at += 1) {
      if (data[at] !== newLine || data[at + 1] !== newLine) continue;
      heard(last, now);
      last = now;
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', closed);
  return socket;
}
