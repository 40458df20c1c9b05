import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProductTarget } from './product-target.ts';

export interface FanOut {
  readonly open: number;
  /** Milliseconds from one arrival of tokens to the next of the same stream. */
  readonly gaps: readonly number[];
  readonly tokensPerSecond: number;
}

const newLine = 10;
const space = 32;
/** The pause between two streams: each has to be searched for and admitted while those before it are read. */
const openingMs = 7;
/** The maximum until all have begun; the first ones end half a minute after they began. */
const settlingMs = 5_000;
const lookMs = 100;
const windowMs = 6_000;

/** Opens the streams, as many of each key as a key may have, and measures when tokens arrive. */
export async function fanOut(target: ProductTarget, streams: number): Promise<FanOut> {
  const gaps: number[] = [];
  let measuring = false;
  let open = 0;
  let tokens = 0;
  const heard = (count: number, gapMs: number) => {
    if (!measuring) return;
    tokens += count;
    gaps.push(gapMs);
  };
  const sockets: Socket[] = [];
  for (let index = 0; index < streams; index += 1) {
    const key = target.keys[index % target.keys.length] ?? '';
    sockets.push(openStream(target, key, { heard, opened: () => (open += 1), closed: () => (open -= 1) }));
    await wait(openingMs);
  }
  for (let waitedMs = 0; open < streams && waitedMs < settlingMs; waitedMs += lookMs) await wait(lookMs);
  measuring = true;
  const openAtStart = open;
  await wait(windowMs);
  measuring = false;
  for (const socket of sockets) socket.destroy();
  return { open: openAtStart, gaps, tokensPerSecond: Math.round((tokens * 1_000) / windowMs) };
}

interface Ears {
  heard(tokens: number, gapMs: number): void;
  /** Its first words have come. */
  opened(): void;
  closed(): void;
}

function openStream(target: ProductTarget, key: string, { heard, opened, closed }: Ears): Socket {
  const { hostname, port, host } = new URL(target.address);
  const socket = connect(Number(port), hostname);
  // The answer of the model is passed on word by word. Under `strict`, all but the first sentence waits for its end.
  const body = target.body.replace('{{i}}', `${Math.random()}`).replace(/}$/, ',"strictness":"fallback"}');
  let last: number | undefined;
  socket.on('connect', () => {
    socket.write(
      `POST /v1/query/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  socket.on('data', (data) => {
    const now = performance.now();
    if (last === undefined) opened();
    else heard(tokensIn(data), now - last);
    last = now;
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => last !== undefined && closed());
  return socket;
}

/**
 * Each token is a word with a space before it, one or several to an event; an event has another space after `data:`.
 */
function tokensIn(data: Buffer): number {
  let count = 0;
  for (let at = 0; at < data.length; at += 1) {
    if (data[at] === space) count += 1;
    else if (data[at] === newLine && data[at + 1] === newLine) count -= 1;
  }
  return count;
}
