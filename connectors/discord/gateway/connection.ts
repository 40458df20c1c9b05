import type { LookupFunction } from 'node:net';
import type { GatewayIdentifyData } from 'discord.js';
import { type Data, WebSocket } from 'ws';
import type { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import { parseJson } from '../../shared/http.ts';
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
  /** Resolves the host of `url` to the addresses that the network guard allowed. */
  readonly lookup: LookupFunction;
  readonly token: string;
  readonly intents: number;
  /** The session to resume and its last stored event; null to begin a session. */
  readonly session: { readonly id: string; readonly seq: number } | null;
  readonly pace: GatewayTiming;
  readonly signal: AbortSignal;
  /** Returns the sequence number of the last stored event, which heartbeats acknowledge. */
  readonly stored: () => number | null;
  /** Handles every frame. */
  readonly onFrame: () => void;
  readonly onEvent: (event: GatewayEvent) => void;
}

type Payload = z.infer<typeof payloadSchema>;

const MAX_FRAME = 16 * 2 ** 20;

/**
 * Holds one gateway connection until it ends, and returns how it ended. It never rejects. It throws if the address is
 * invalid.
 */
export function runConnection(options: ConnectionOptions): Promise<ConnectionEnd> {
  return new Connection(options).ended;
}

class Connection {
  readonly #options: ConnectionOptions;
  readonly #socket: WebSocket;
  readonly #ending = Promise.withResolvers<ConnectionEnd>();
  /** The deadline of the next handshake step, the next heartbeat, and the deadline of its acknowledgement. */
  readonly #timers = new Map<'handshake' | 'heartbeat' | 'heartbeatAck', NodeJS.Timeout>();
  readonly #onAbort = () => this.#end({ next: 'resume', because: 'The listener was stopped.' });
  #hasEnded = false;
  #isAcknowledged = true;

  constructor(options: ConnectionOptions) {
    const { url, lookup, pace, signal } = options;
    this.#options = options;
    this.#socket = new WebSocket(url, {
      lookup,
      handshakeTimeout: pace.helloMs,
      maxPayload: MAX_FRAME,
      perMessageDeflate: false,
    });
    this.#expect('handshake', pace.helloMs, { next: 'resume', because: 'Discord sent no HELLO in time.' });
    this.#socket.on('message', (data: Data) => this.#hasEnded || this.#onFrame(data));
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

  /** Terminates without a close frame: that keeps the session valid, and a dead peer would never answer one. */
  #end(ending: ConnectionEnd): void {
    this.#hasEnded = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#socket.terminate();
    this.#ending.resolve(ending);
  }

  /** Frames that arrived while the process was busy are read before the deadline counts as missed. */
  #expect(timer: 'handshake' | 'heartbeatAck', withinMs: number, otherwise: ConnectionEnd): void {
    clearTimeout(this.#timers.get(timer));
    const giveUp = () =>
      this.#timers.set(
        timer,
        setTimeout(() => this.#end(otherwise), 0),
      );
    this.#timers.set(timer, setTimeout(giveUp, withinMs));
  }

  #send(op: number, d: object | number | null): void {
    this.#socket.send(JSON.stringify({ op, d }));
  }

  #onFrame(data: Data): void {
    const payload = payloadSchema.safeParse(parseJson(toBytes(data))).data;
    if (payload === undefined) return;
    this.#onPayload(payload);
    // Afterwards, so that the event does not wait for the activity update.
    this.#options.onFrame();
  }

  #onPayload(payload: Payload): void {
    switch (payload.op) {
      case OPCODE.hello:
        this.#onHello(payload.d);
        break;
      case OPCODE.heartbeat:
        this.#sendHeartbeat();
        break;
      case OPCODE.heartbeatAck:
        this.#isAcknowledged = true;
        clearTimeout(this.#timers.get('heartbeatAck'));
        break;
      case OPCODE.reconnect:
        this.#end({ next: 'resume', because: 'Discord requested a reconnect.' });
        break;
      case OPCODE.invalidSession:
        this.#onInvalidSession(payload.d === true);
        break;
      case OPCODE.dispatch:
        this.#onDispatch(payload);
    }
  }

  #onDispatch({ t, s, d }: Payload): void {
    clearTimeout(this.#timers.get('handshake'));
    if (t && typeof s === 'number') this.#options.onEvent({ t, s, d });
  }

  #onHello(d: Json | undefined): void {
    const { token, session, pace } = this.#options;
    const hello = helloSchema.safeParse(d).data;
    if (hello === undefined) {
      this.#end({ next: 'resume', because: 'Discord sent a malformed HELLO.' });
      return;
    }
    const { heartbeat_interval: everyMs } = hello;
    this.#scheduleHeartbeat(everyMs * Math.random(), everyMs);
    this.#expect('handshake', pace.readyMs, {
      next: 'identify',
      because: 'Discord sent no READY or RESUMED in time.',
    });
    if (session === null) this.#send(OPCODE.identify, identifyPayload(this.#options));
    else this.#send(OPCODE.resume, { token, session_id: session.id, seq: session.seq });
  }

  #onInvalidSession(isResumable: boolean): void {
    const [minMs, randomMs] = this.#options.pace.invalidMs;
    const afterMs = minMs + Math.random() * randomMs;
    this.#end({
      next: isResumable ? 'resume' : 'identify',
      because: 'Discord refused the session.',
      afterMs,
    });
  }

  #scheduleHeartbeat(ms: number, everyMs: number): void {
    const onTimer = () => {
      this.#sendHeartbeat();
      this.#scheduleHeartbeat(everyMs, everyMs);
    };
    this.#timers.set('heartbeat', setTimeout(onTimer, ms));
  }

  #sendHeartbeat(): void {
    this.#send(OPCODE.heartbeat, this.#options.stored());
    if (!this.#isAcknowledged) return;
    this.#isAcknowledged = false;
    const { ackMs } = this.#options.pace;
    this.#expect('heartbeatAck', ackMs, {
      next: 'resume',
      because: 'Discord did not acknowledge a heartbeat.',
    });
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
