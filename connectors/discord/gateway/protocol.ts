import { z } from 'zod';
import { jsonValue } from '../../shared/http.ts';

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

/** An event and its sequence number in the session. */
export interface GatewayEvent {
  readonly t: string;
  readonly s: number;
  readonly d: z.infer<typeof payloadSchema>['d'];
}

/** Why a connection ended, and what to do next. */
export type ConnectionEnd =
  | { readonly next: 'resume' | 'identify'; readonly because: string; readonly afterMs?: number }
  /** A new connection would fail in the same way. */
  | { readonly next: 'stop'; readonly because: string; readonly code: number };

const FATAL_CLOSE_CODES: Readonly<Record<number, string>> = {
  4004: 'Discord rejected the bot token. Update bot_token of the channel.',
  4010: 'Discord rejected the shard of the bot.',
  4011: 'The bot is in more than 2,500 servers. Discord requires several connections (shards) for that, and Parley holds one. Give some of the servers a bot of their own.',
  4012: 'Discord no longer supports this version of the gateway.',
  4013: 'Discord rejected an invalid intent.',
  4014: 'Discord does not allow the bot a requested intent.',
};

/** 4003 not authenticated, 4007 invalid sequence number, 4009 session timed out. */
const SESSION_LOST_CODES = [4003, 4007, 4009];

/** Returns what to do after a close code; 1006 means that the socket ended without a close frame. */
export function parseCloseCode(code: number): ConnectionEnd {
  const fatal = FATAL_CLOSE_CODES[code];
  if (fatal !== undefined) return { next: 'stop', because: fatal, code };
  const because = `Discord closed the connection with code ${code}.`;
  return { next: SESSION_LOST_CODES.includes(code) ? 'identify' : 'resume', because };
}

const GUILDS = 1 << 0;
const GUILD_MESSAGES = 1 << 9;
const DIRECT_MESSAGES = 1 << 12;
/** Privileged: the operator enables it. Discord closes the connection of a bot that requests it without permission. */
const MESSAGE_CONTENT = 1 << 15;

/** Returns the requested intents. Without message content, Discord sends only the content of messages to the bot. */
export function gatewayIntents(withContent: boolean): number {
  return GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES | (withContent ? MESSAGE_CONTENT : 0);
}

export interface GatewayTiming {
  /** Deadline for HELLO. */
  readonly helloMs: number;
  /** Deadline for READY or RESUMED. */
  readonly readyMs: number;
  /** Deadline for the acknowledgement of a heartbeat. */
  readonly ackMs: number;
  /** Delay after an invalid session: the minimum and the random addition. */
  readonly invalidMs: readonly [minMs: number, randomMs: number];
  /** Minimum interval between two new sessions. */
  readonly identifyMs: number;
  /** Delay after the first failed connection; doubled after each further failure. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  /** Time without any frame after which the listener throws. */
  readonly patienceMs: number;
}
