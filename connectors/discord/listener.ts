import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { ListenerTools } from '../../core/contract/listener.ts';
import { guardedLookup, optionalField } from '../shared/http.ts';
import { type CallTools, callDiscordOrThrow } from './api-client.ts';
import { runConnection } from './gateway/connection.ts';
import { GatewayInbox, restoreCursor } from './gateway/inbox.ts';
import { type ConnectionEnd, type GatewayTiming, gatewayIntents } from './gateway/protocol.ts';
import { botUserId } from './identifiers.ts';
import type { DiscordAccount } from './manifest.ts';

type ListenDiscord = (account: DiscordAccount, tools: ListenerTools) => Promise<void>;

/** Limits activity reports to one a second. */
const ALIVE_INTERVAL_MS = 1_000;
const DISALLOWED_INTENTS = 4014;

/** Returns a listener that holds a gateway connection until it is stopped, and reconnects whenever the connection ends. */
export function createListener(timing: GatewayTiming): ListenDiscord {
  return async (account, tools) => {
    try {
      await new GatewayListener(account, tools, timing).listen();
    } catch (error) {
      if (!tools.signal.aborted) throw error;
    }
  };
}

class GatewayListener {
  readonly #account: DiscordAccount;
  readonly #tools: ListenerTools;
  readonly #timing: GatewayTiming;
  readonly #inbox: GatewayInbox;
  readonly #stopping = new AbortController();
  #requestsContent: boolean;
  #lastFrameAt: number;
  #reportedAt = 0;
  #identifiedAt = 0;
  /** Consecutive connections without any event. */
  #failures = 0;
  /** Why the last connection ended. */
  #because = '';
  /** A notice for the operator that does not affect the connection. */
  #notice: string | undefined;

  constructor(account: DiscordAccount, tools: ListenerTools, timing: GatewayTiming) {
    this.#account = account;
    this.#tools = tools;
    this.#timing = timing;
    this.#inbox = new GatewayInbox(account, tools, restoreCursor(tools.cursor, botUserId(account)));
    this.#requestsContent = account.profile.message_content === true;
    this.#lastFrameAt = performance.now();
  }

  async listen(): Promise<void> {
    const { signal } = this.#tools;
    const { failed } = this.#inbox;
    // The connection closes even if the failure occurs while this method does not await `failed`.
    failed.catch(() => this.#stopping.abort());
    while (!signal.aborted) {
      const ending = await Promise.race([this.#connect(), failed]);
      await this.#inbox.idle();
      if (signal.aborted) break;
      this.#settle(ending);
      await this.#pause(ending);
    }
    await this.#inbox.saveCursor();
  }

  async #connect(): Promise<ConnectionEnd> {
    const { session } = this.#inbox;
    try {
      const address = session?.resumeUrl ?? (await this.#newSessionUrl());
      const url = socketUrl(address, this.#account);
      return await runConnection({
        url,
        lookup: await guardedLookup({ peer: 'The gateway', url }, this.#tools),
        token: this.#account.credentials.bot_token,
        intents: gatewayIntents(this.#requestsContent),
        session,
        pace: this.#timing,
        signal: AbortSignal.any([this.#tools.signal, this.#stopping.signal]),
        stored: () => this.#inbox.stored(),
        onFrame: () => this.#onFrame(),
        onEvent: (event) => {
          this.#failures = 0;
          this.#inbox.push(event);
        },
      });
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.advice.retry === 'never') throw error;
      const { advice } = error;
      if (advice.retry === 'after' && advice.afterMs > this.#timing.longestPauseMs) throw error;
      const afterMs = advice.retry === 'after' ? advice.afterMs : 0;
      return { next: session === null ? 'identify' : 'resume', because: error.message, afterMs };
    }
  }

  /** Returns the address for a new session. Discord allows one new session in five seconds. */
  async #newSessionUrl(): Promise<string> {
    const { identifyMs } = this.#timing;
    const sinceMs = performance.now() - this.#identifiedAt;
    if (this.#identifiedAt > 0 && sinceMs < identifyMs) {
      await wait(identifyMs - sinceMs, undefined, { signal: this.#tools.signal });
    }
    const { url, connections } = await fetchGateway(this.#account, this.#tools);
    this.#identifiedAt = performance.now();
    this.#notice = shardWarning(connections);
    return url;
  }

  #onFrame(): void {
    const now = performance.now();
    this.#lastFrameAt = now;
    this.#inbox.markCurrent();
    if (now - this.#reportedAt < ALIVE_INTERVAL_MS) return;
    this.#reportedAt = now;
    this.#tools.alive(this.#notice);
  }

  /** Prepares the next connection. Throws if a new connection would fail in the same way. */
  #settle(ending: ConnectionEnd): void {
    this.#because = ending.because;
    if (ending.next === 'stop') {
      if (ending.code !== DISALLOWED_INTENTS || !this.#requestsContent) {
        throw new ConnectorError(ending.because, { advice: { retry: 'never' }, account: true });
      }
      this.#requestsContent = false;
    }
    // After three failed connections the session is given up, so that a broken one is not resumed for ever.
    const isLost = ending.next === 'identify' || this.#failures > 2;
    if (isLost) this.#inbox.forgetSession();
    if (performance.now() - this.#lastFrameAt > this.#timing.patienceMs) {
      throw new ConnectorError(this.#because, { advice: { retry: 'backoff' } });
    }
  }

  async #pause(ending: ConnectionEnd): Promise<void> {
    const { pauseMs, longestPauseMs } = this.#timing;
    const backoffMs =
      this.#failures === 0 ? 0 : Math.min(longestPauseMs, pauseMs * 2 ** (this.#failures - 1));
    this.#failures += 1;
    const afterMs = Math.max(backoffMs, 'afterMs' in ending ? (ending.afterMs ?? 0) : 0);
    if (afterMs > 0) await wait(afterMs, undefined, { signal: this.#tools.signal });
  }
}

const GATEWAY_HOSTS = /(^|\.)discord\.(gg|com)$/;

const schema = z.object({
  url: z.string(),
  shards: optionalField(z.int()),
  session_start_limit: optionalField(z.object({ remaining: z.int(), reset_after: z.number() })),
});

interface Gateway {
  readonly url: string;
  /** The number of connections that Discord recommends for the bot. */
  readonly connections: number;
}

/** Returns the address for new sessions. Throws a ConnectorError if the bot has used up its sessions for today. */
async function fetchGateway(account: DiscordAccount, tools: CallTools): Promise<Gateway> {
  const call = { method: 'GET', path: '/gateway/bot', result: schema } as const;
  const { url, shards, session_start_limit: limit } = await callDiscordOrThrow(call, account, tools);
  if (limit !== null && limit.remaining < 1) {
    throw new ConnectorError('The bot has used up its daily limit of new gateway sessions.', {
      advice: { retry: 'after', afterMs: limit.reset_after },
    });
  }
  return { url, connections: shards ?? 1 };
}

/** Returns the socket address. Throws a ConnectorError unless its host is Discord's or that of `api_base_url`. */
function socketUrl(address: string, { settings }: DiscordAccount): string {
  const url = URL.parse(address);
  const own = URL.parse(settings.api_base_url ?? '');
  const isHome = url?.protocol === 'wss:' && GATEWAY_HOSTS.test(url.hostname);
  const isOwn = url !== null && ['ws:', 'wss:'].includes(url.protocol) && url.hostname === own?.hostname;
  if (url === null || !(isHome || isOwn)) {
    throw new ConnectorError(
      'Discord returned a gateway address outside discord.gg, discord.com and api_base_url.',
      {
        advice: { retry: 'backoff' },
      },
    );
  }
  url.search = new URLSearchParams({ v: '10', encoding: 'json' }).toString();
  return url.href;
}

/** Returns the notice for a bot that needs several connections soon. Discord recommends them long before it requires them. */
function shardWarning(connections: number): string | undefined {
  if (connections <= 1) return undefined;
  return `Discord recommends ${connections} connections (shards) for this bot, and Parley holds one. The connection works for now, but in more than 2,500 servers Discord will refuse it. Give some of the servers a bot of their own before that.`;
}
