import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

interface Session {
  readonly id: string;
  readonly intents: number;
  readonly events: { readonly s: number; readonly t: string; readonly d: unknown }[];
  socket: WebSocket | null;
}

const frame = z.object({ op: z.int(), d: z.unknown().optional() });
const identity = z.object({ token: z.string(), intents: z.int() });
const resumption = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });
const MESSAGE_CONTENT = 1 << 15;

export interface GatewayOptions {
  readonly token: string;
  readonly url: () => string;
  /** The events that a new session gets after READY, in order. */
  readonly beginning: () => readonly { readonly t: string; readonly d: unknown }[];
  readonly ready: () => object;
  readonly heartbeatMs: number;
}

/** A gateway that keeps sessions, replays missed events, and has the faults that a test sets. */
export class DiscordGateway {
  readonly #options: GatewayOptions;
  readonly #server: WebSocketServer;
  readonly #sessions = new Map<string, Session>();
  /** The messages from the bot: `identify`, `resume`, `heartbeat`. */
  readonly heard: { readonly op: string; readonly d: unknown; readonly at: number }[] = [];
  /** The number of future connections that get no greeting. */
  withheldHellos = 0;
  /** Heartbeats get no answer, and no events are sent. */
  isDead = false;
  /** The number of future resumes that are refused. */
  refusedResumes = 0;
  /** The close code of the next connection, once it has identified. */
  closesWith: number | null = null;
  connections = 0;
  #changed = Promise.withResolvers<void>();

  constructor(server: Server, options: GatewayOptions) {
    this.#options = options;
    this.#server = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request: IncomingMessage, socket, head) =>
      this.#server.handleUpgrade(request, socket, head, (opened) => this.#greet(opened)),
    );
  }

  /** Sends an event to every session, or keeps it for one that is resumed. */
  tell(t: string, make: (withContent: boolean) => unknown): void {
    for (const session of this.#sessions.values()) {
      const d = make((session.intents & MESSAGE_CONTENT) !== 0);
      session.events.push({ s: session.events.length + 1, t, d });
      this.#send(session, session.events.length);
    }
  }

  /** The connections end without a word. */
  cut(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  close(code: number): void {
    for (const socket of this.#server.clients) socket.close(code);
  }

  /** Sessions are known no more. */
  forget(): void {
    this.#sessions.clear();
  }

  /** Sends op 7: reconnect, or op 9: the session is invalid, or may be tried again. */
  say(op: 7 | 9, d: unknown = null): void {
    for (const socket of this.#server.clients) socket.send(JSON.stringify({ op, d }));
  }

  count(op: string): number {
    return this.heard.filter((one) => one.op === op).length;
  }

  async until(op: string, count: number): Promise<void> {
    while (this.count(op) < count) await this.#changed.promise;
  }

  end(): void {
    this.cut();
    this.#server.close();
  }

  #greet(socket: WebSocket): void {
    this.connections += 1;
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => {
      const read = frame.safeParse(JSON.parse(String(data))).data;
      if (read !== undefined) this.#hear(socket, read);
    });
    if (this.withheldHellos > 0) {
      this.withheldHellos -= 1;
      return;
    }
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: this.#options.heartbeatMs } }));
  }

  #hear(socket: WebSocket, { op, d }: z.infer<typeof frame>): void {
    const names: Readonly<Record<number, string>> = { 1: 'heartbeat', 2: 'identify', 6: 'resume' };
    this.heard.push({ op: names[op] ?? String(op), d, at: performance.now() });
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    if (op === 1 && !this.isDead) socket.send(JSON.stringify({ op: 11 }));
    if (op === 2) this.#identify(socket, identity.parse(d));
    if (op === 6) this.#resume(socket, resumption.parse(d));
  }

  #identify(socket: WebSocket, { token, intents }: z.infer<typeof identity>): void {
    const code = token === this.#options.token ? this.closesWith : 4004;
    this.closesWith = null;
    if (code !== null) return void socket.close(code);
    const session: Session = { id: randomUUID(), intents, events: [], socket };
    this.#sessions.set(session.id, session);
    const { ready, beginning, url } = this.#options;
    const d = { v: 10, session_id: session.id, resume_gateway_url: url(), ...ready() };
    for (const event of [{ t: 'READY', d }, ...beginning()]) {
      session.events.push({ s: session.events.length + 1, ...event });
      this.#send(session, session.events.length);
    }
  }

  #resume(socket: WebSocket, { token, session_id, seq }: z.infer<typeof resumption>): void {
    if (token !== this.#options.token) return void socket.close(4004);
    const session = this.#sessions.get(session_id);
    if (this.refusedResumes > 0 || session === undefined) {
      this.refusedResumes = Math.max(0, this.refusedResumes - 1);
      socket.send(JSON.stringify({ op: 9, d: false }));
      return;
    }
    session.socket = socket;
    for (let s = seq + 1; s <= session.events.length; s += 1) this.#send(session, s);
    session.events.push({ s: session.events.length + 1, t: 'RESUMED', d: {} });
    this.#send(session, session.events.length);
  }

  #send({ socket, events }: Session, s: number): void {
    const event = events[s - 1];
    if (this.isDead || event === undefined || socket?.readyState !== 1) return;
    socket.send(JSON.stringify({ op: 0, ...event }));
  }
}
