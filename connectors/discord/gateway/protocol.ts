import { z } from 'zod';
import { jsonValue } from '../../shared/payload.ts';

export const OPCODE = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

export const payloadSchema = z.object({
  op: z.int(),
  d: jsonValue.optional(),
  s: z.int().nullish(),
  t: z.string().nullish(),
});

export const helloSchema = z.object({ heartbeat_interval: z.number().min(50).max(3_600_000) });

export const readySchema = z.object({
  session_id: z.string(),
  resume_gateway_url: z.string(),
  guilds: z.array(z.object({ id: z.string() })).catch([]),
});

/** An event with its place in the session. */
export interface GatewayEvent {
  readonly t: string;
  readonly s: number;
  readonly d: z.infer<typeof payloadSchema>['d'];
}

/** How a connection came to its end, and how to go on. */
export type ConnectionEnd =
  | { readonly next: 'resume' | 'identify'; readonly because: string; readonly afterMs?: number }
  /** Nothing that is done again would help. */
  | { readonly next: 'stop'; readonly because: string; readonly code: number };

const FATAL_CLOSE_CODES: Readonly<Record<number, string>> = {
  4004: 'Discord does not accept the bot token any more.',
  4010: 'Discord refuses the shard of the bot.',
  4011: 'The bot is in more than 2,500 servers: Discord lets it in over several connections only (shards), and Parley holds one. Give some of the servers a bot of their own.',
  4012: 'Discord does not speak this version of the gateway any more.',
  4013: 'Discord does not know an intent.',
  4014: 'Discord does not allow this bot an intent that it asked for.',
};

/** Not authenticated, a sequence that it does not know, a session that is too old. */
const SESSION_LOST_CODES = [4003, 4007, 4009];

/** What the code of a close frame says; 1006 stands for none. */
export function parseCloseCode(code: number): ConnectionEnd {
  const words = FATAL_CLOSE_CODES[code];
  if (words !== undefined) return { next: 'stop', because: words, code };
  const because = `Discord closed the connection with ${code}.`;
  return { next: SESSION_LOST_CODES.includes(code) ? 'identify' : 'resume', because };
}

const GUILDS = 1 << 0;
const GUILD_MESSAGES = 1 << 9;
const DIRECT_MESSAGES = 1 << 12;
/** Privileged: an operator switches it on, and Discord ends the connection of a bot that asks for it without. */
const MESSAGE_CONTENT = 1 << 15;

/** What Discord is asked to tell. Without message content it tells what is said to us, and no more. */
export function gatewayIntents(withContent: boolean): number {
  return GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES | (withContent ? MESSAGE_CONTENT : 0);
}

export interface GatewayTiming {
  /** Within so long Discord greets a connection that is worth anything. */
  readonly helloMs: number;
  /** Within so long it says that a session has begun, or goes on. */
  readonly readyMs: number;
  /** Within so long it answers a heartbeat. */
  readonly ackMs: number;
  /** The least, and how much more at random, before another try where Discord knows the session no more. */
  readonly invalidMs: readonly [least: number, more: number];
  /** Between two beginnings of a session. */
  readonly identifyMs: number;
  /** Before the next connection after one that came to nothing; doubled each time. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  /** How long nothing may be heard before that is told. */
  readonly patienceMs: number;
}
