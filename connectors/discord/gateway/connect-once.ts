import type { Data } from 'ws';
import { WebSocket } from 'ws';
import type { Json } from '../../../core/contract/json.ts';
import { readJson } from '../../shared/read-json.ts';
import { type Ending, endingOf } from './ending.ts';
import { type GatewayEvent, helloSchema, OP, payloadSchema } from './gateway-payload.ts';
import type { Pace } from './pace.ts';

export interface Connection {
  readonly url: string;
  readonly token: string;
  readonly intents: number;
  /** The session that goes on, from what was stored of it; null where one begins. */
  readonly session: { readonly id: string; readonly seq: number } | null;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  /** The last event that cannot be lost any more: what heartbeats acknowledge. */
  readonly stored: () => number | null;
  /** Told of every frame. */
  readonly onFrame: () => void;
  readonly onEvent: (event: GatewayEvent) => void;
}

const MAX_FRAME = 16 * 2 ** 20;

/** Holds one connection to the gateway for as long as it is good; never rejects. Throws where the address is none. */
export function connectOnce(connection: Connection): Promise<Ending> {
  const { url, pace, signal, session, stored, onFrame, onEvent } = connection;
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const socket = new WebSocket(url, {
    handshakeTimeout: pace.helloMs,
    maxPayload: MAX_FRAME,
    perMessageDeflate: false,
  });
  const timers = {
    wait: setTimeout(() => {}, 0),
    beat: setTimeout(() => {}, 0),
    ack: setTimeout(() => {}, 0),
  };

  let isOver = false;
  let isAcknowledged = true;
  /** The session stays good when the socket just ends, and a peer that is gone would never say goodbye. */
  const end = (ending: Ending) => {
    isOver = true;
    for (const timer of Object.values(timers)) clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    socket.terminate();
    resolve(ending);
  };
  const onAbort = () => end({ next: 'resume', because: 'listening ends here' });
  const within = (timer: keyof typeof timers, ms: number, ending: Ending) => {
    clearTimeout(timers[timer]);
    // What came in while the process was busy is read before the time counts as over.
    timers[timer] = setTimeout(() => {
      timers[timer] = setTimeout(() => end(ending), 0);
    }, ms);
  };
  const send = (op: number, d: Json) => socket.send(JSON.stringify({ op, d }));
  const beat = () => {
    send(OP.heartbeat, stored());
    if (!isAcknowledged) return;
    isAcknowledged = false;
    within('ack', pace.ackMs, { next: 'resume', because: 'Discord answered no heartbeat.' });
  };
  const beatEvery = (intervalMs: number, firstMs: number) => {
    timers.beat = setTimeout(() => {
      beat();
      beatEvery(intervalMs, intervalMs);
    }, firstMs);
  };
  const greet = (d: Json | undefined) => {
    const hello = helloSchema.safeParse(d).data;
    if (hello === undefined) return end({ next: 'resume', because: 'Discord greeted in another way.' });
    const { heartbeat_interval: intervalMs } = hello;
    beatEvery(intervalMs, intervalMs * Math.random());
    within('wait', pace.readyMs, { next: 'identify', because: 'Discord let no session begin or go on.' });
    if (session === null) send(OP.identify, identification(connection));
    else send(OP.resume, { token: connection.token, session_id: session.id, seq: session.seq });
  };
  const hear = (data: Data) => {
    const payload = payloadSchema.safeParse(readJson(bytesOf(data))).data;
    if (payload === undefined) return;
    onFrame();
    switch (payload.op) {
      case OP.hello:
        return greet(payload.d);
      case OP.heartbeat:
        return beat();
      case OP.heartbeatAck:
        isAcknowledged = true;
        return clearTimeout(timers.ack);
      case OP.reconnect:
        return end({ next: 'resume', because: 'Discord wants to be connected to anew.' });
      case OP.invalidSession: {
        const [least, more] = pace.invalidMs;
        const next = payload.d === true ? 'resume' : 'identify';
        return end({ next, because: 'Discord refused the session.', afterMs: least + Math.random() * more });
      }
      case OP.dispatch: {
        clearTimeout(timers.wait);
        if (payload.t && typeof payload.s === 'number') onEvent({ t: payload.t, s: payload.s, d: payload.d });
      }
    }
  };
  within('wait', pace.helloMs, { next: 'resume', because: 'Discord did not greet.' });
  signal.addEventListener('abort', onAbort);
  socket.on('message', (data: Data) => {
    if (!isOver) hear(data);
  });
  socket.on('error', ({ message }) =>
    end({ next: 'resume', because: `The gateway cannot be reached: ${message}` }),
  );
  socket.on('close', (code) => end(endingOf(code)));
  if (signal.aborted) onAbort();
  return promise;
}

function identification({ token, intents }: Connection): Json {
  const properties = { os: process.platform, browser: 'parley', device: 'parley' };
  return { token, intents, properties, compress: false, shard: [0, 1] };
}

function bytesOf(data: Data): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : Buffer.from(data);
}
