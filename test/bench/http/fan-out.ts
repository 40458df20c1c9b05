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
const openingMs = 2_000;
const settlingMs = 3_000;
const windowMs = 8_000;

/** Opens so many streams over two seconds, as many of each key as a key may have, and times what they send. */
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
    if (index % 20 === 0) await wait((openingMs * 20) / streams);
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
  const body = target.body.replace('{{i}}', `${Math.random()}`);
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
