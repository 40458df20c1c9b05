import type { LookupFunction } from 'node:net';
import type { GatewayIdentifyData } from 'discord.js';
import { type Data, WebSocket } from 'ws';
import type { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import { parseJson } from '../../shared/payload.ts';
import {
  type ConnectionEnd,
  type GatewayEvent,
  type GatewayTiming,
  helloSchema,
  OPCODE,
  parseCloseCode,
  payloadSchema,
} from './protocol.ts';

interface ConnectionOptions {
  readonly url: string;
  /** Where the host of `url` is: what the guard let through. */
  readonly lookup: LookupFunction;
  readonly token: string;
  readonly intents: number;
  /** The session that goes on, from what was stored of it; null where one begins. */
  readonly session: { readonly id: string; readonly seq: number } | null;
  readonly pace: GatewayTiming;
  readonly signal: AbortSignal;
  /** The last event that cannot be lost any more: what heartbeats acknowledge. */
  readonly stored: () => number | null;
  /** Told of every frame. */
  readonly onFrame: () => void;
  readonly onEvent: (event: GatewayEvent) => void;
}

type Payload = z.infer<typeof payloadSchema>;

const MAX_FRAME = 16 * 2 ** 20;

/** Holds one connection to the gateway for as long as it is good; never rejects. Throws where the address is none. */
export function runConnection(plan: ConnectionOptions): Promise<ConnectionEnd> {
  return new Connection(plan).ended;
}

class Connection {
  readonly #plan: ConnectionOptions;
  readonly #socket: WebSocket;
  readonly #ending = Promise.withResolvers<ConnectionEnd>();
  /** For the next step of the beginning, the next heartbeat, and the answer to the one before. */
  readonly #timers = new Map<'step' | 'beat' | 'answer', NodeJS.Timeout>();
  readonly #onAbort = () => this.#end({ next: 'resume', because: 'listening ends here' });
  #isOver = false;
  #isAnswered = true;

  constructor(plan: ConnectionOptions) {
    const { url, lookup, pace, signal } = plan;
    this.#plan = plan;
    this.#socket = new WebSocket(url, {
      lookup,
      handshakeTimeout: pace.helloMs,
      maxPayload: MAX_FRAME,
      perMessageDeflate: false,
    });
    this.#expect('step', pace.helloMs, { next: 'resume', because: 'Discord did not greet.' });
    this.#socket.on('message', (data: Data) => this.#isOver || this.#hear(data));
    this.#socket.on('close', (code) => this.#end(parseCloseCode(code)));
    this.#socket.on('error', ({ message }) =>
      this.#end({ next: 'resume', because: `The gateway cannot be reached: ${message}` }),
    );
    signal.addEventListener('abort', this.#onAbort);
    if (signal.aborted) this.#onAbort();
  }

  get ended(): Promise<ConnectionEnd> {
    return this.#ending.promise;
  }

  /** The session stays good when the socket just ends, and a peer that is gone would never say goodbye. */
  #end(ending: ConnectionEnd): void {
    this.#isOver = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#plan.signal.removeEventListener('abort', this.#onAbort);
    this.#socket.terminate();
    this.#ending.resolve(ending);
  }

  /** What came in while the process was busy is read before the time counts as over. */
  #expect(what: 'step' | 'answer', withinMs: number, otherwise: ConnectionEnd): void {
    clearTimeout(this.#timers.get(what));
    const giveUp = () =>
      this.#timers.set(
        what,
        setTimeout(() => this.#end(otherwise), 0),
      );
    this.#timers.set(what, setTimeout(giveUp, withinMs));
  }

  #send(op: number, d: object | number | null): void {
    this.#socket.send(JSON.stringify({ op, d }));
  }

  #hear(data: Data): void {
    const payload = payloadSchema.safeParse(parseJson(toBytes(data))).data;
    if (payload === undefined) return;
    this.#heed(payload);
    // Afterwards: what it tells is not to wait for that being noted.
    this.#plan.onFrame();
  }

  #heed(payload: Payload): void {
    switch (payload.op) {
      case OPCODE.hello:
        this.#begin(payload.d);
        break;
      case OPCODE.heartbeat:
        this.#beat();
        break;
      case OPCODE.heartbeatAck:
        this.#isAnswered = true;
        clearTimeout(this.#timers.get('answer'));
        break;
      case OPCODE.reconnect:
        this.#end({ next: 'resume', because: 'Discord wants to be connected to anew.' });
        break;
      case OPCODE.invalidSession:
        this.#endInvalid(payload.d === true);
        break;
      case OPCODE.dispatch:
        this.#tell(payload);
    }
  }

  #tell({ t, s, d }: Payload): void {
    clearTimeout(this.#timers.get('step'));
    if (t && typeof s === 'number') this.#plan.onEvent({ t, s, d });
  }

  #begin(d: Json | undefined): void {
    const { token, session, pace } = this.#plan;
    const hello = helloSchema.safeParse(d).data;
    if (hello === undefined) {
      this.#end({ next: 'resume', because: 'Discord greeted in another way.' });
      return;
    }
    const { heartbeat_interval: everyMs } = hello;
    this.#beatAfter(everyMs * Math.random(), everyMs);
    this.#expect('step', pace.readyMs, {
      next: 'identify',
      because: 'Discord let no session begin or go on.',
    });
    if (session === null) this.#send(OPCODE.identify, identifyPayload(this.#plan));
    else this.#send(OPCODE.resume, { token, session_id: session.id, seq: session.seq });
  }

  #endInvalid(mayGoOn: boolean): void {
    const [least, more] = this.#plan.pace.invalidMs;
    const afterMs = least + Math.random() * more;
    this.#end({ next: mayGoOn ? 'resume' : 'identify', because: 'Discord refused the session.', afterMs });
  }

  #beatAfter(ms: number, everyMs: number): void {
    const beat = () => {
      this.#beat();
      this.#beatAfter(everyMs, everyMs);
    };
    this.#timers.set('beat', setTimeout(beat, ms));
  }

  #beat(): void {
    this.#send(OPCODE.heartbeat, this.#plan.stored());
    if (!this.#isAnswered) return;
    this.#isAnswered = false;
    const { ackMs } = this.#plan.pace;
    this.#expect('answer', ackMs, { next: 'resume', because: 'Discord answered no heartbeat.' });
  }
}

function identifyPayload({ token, intents }: ConnectionOptions): GatewayIdentifyData {
  const properties = { os: process.platform, browser: 'parley', device: 'parley' };
  return { token, intents, properties, compress: false, shard: [0, 1] };
}

function toBytes(data: Data): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : Buffer.from(data);
}
