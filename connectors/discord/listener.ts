import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Listen, ListenerTools } from '../../core/contract/listener.ts';
import { guardedLookup } from '../shared/http.ts';
import { optionalField } from '../shared/payload.ts';
import { type CallTools, callDiscordOrThrow } from './api-client.ts';
import { runConnection } from './gateway/connection.ts';
import { GatewayInbox, restoreCursor } from './gateway/inbox.ts';
import { type ConnectionEnd, type GatewayTiming, gatewayIntents } from './gateway/protocol.ts';
import { botUserId } from './identifiers.ts';
import type { DiscordAccount } from './manifest.ts';

type ListenDiscord = Listen<DiscordAccount['credentials'], DiscordAccount['settings']>;

/** More often than this nobody has to know that Discord is there. */
const ALIVE_MS = 1_000;
const FORBIDDEN_INTENT = 4014;

/** Holds a connection to the gateway until it is stopped: again and again, for no connection lasts. */
export function createListener(pace: GatewayTiming): ListenDiscord {
  return async (account, tools) => {
    try {
      await new GatewayListener(account, tools, pace).listen();
    } catch (error) {
      if (!tools.signal.aborted) throw error;
    }
  };
}

class GatewayListener {
  readonly #account: DiscordAccount;
  readonly #tools: ListenerTools;
  readonly #pace: GatewayTiming;
  readonly #inbox: GatewayInbox;
  readonly #leaving = new AbortController();
  #asksForContent: boolean;
  #heardAt: number;
  #aliveAt = 0;
  #identifiedAt = 0;
  /** Connections in a row that came to nothing. */
  #failures = 0;
  /** Why the last one ended. */
  #because = '';
  /** What an operator should know though all is well. */
  #notice: string | undefined;

  constructor(account: DiscordAccount, tools: ListenerTools, pace: GatewayTiming) {
    this.#account = account;
    this.#tools = tools;
    this.#pace = pace;
    this.#inbox = new GatewayInbox(account, tools, restoreCursor(tools.cursor, botUserId(account)));
    this.#asksForContent = account.profile.message_content === true;
    this.#heardAt = performance.now();
  }

  async listen(): Promise<void> {
    const { signal } = this.#tools;
    const failing = this.#inbox.failed;
    // Also if it fails when this method does not wait for it any more.
    failing.catch(() => this.#leaving.abort());
    while (!signal.aborted) {
      const ending = await Promise.race([this.#connect(), failing]);
      await this.#inbox.idle();
      if (signal.aborted) break;
      this.#settle(ending);
      await this.#pause(ending);
    }
    await this.#inbox.keep();
  }

  async #connect(): Promise<ConnectionEnd> {
    const { session } = this.#inbox;
    try {
      const address = session?.resumeUrl ?? (await this.#beginning());
      const url = socketUrl(address, this.#account);
      return await runConnection({
        url,
        lookup: await guardedLookup({ peer: 'The gateway', url }, this.#tools),
        token: this.#account.credentials.bot_token,
        intents: gatewayIntents(this.#asksForContent),
        session,
        pace: this.#pace,
        signal: AbortSignal.any([this.#tools.signal, this.#leaving.signal]),
        stored: () => this.#inbox.stored(),
        onFrame: () => this.#hear(),
        onEvent: (event) => {
          this.#failures = 0;
          this.#inbox.push(event);
        },
      });
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.advice.retry === 'never') throw error;
      const { advice } = error;
      if (advice.retry === 'after' && advice.afterMs > this.#pace.longestPauseMs) throw error;
      const afterMs = advice.retry === 'after' ? advice.afterMs : 0;
      return { next: session === null ? 'identify' : 'resume', because: error.message, afterMs };
    }
  }

  /** Discord lets a bot begin one session in five seconds. */
  async #beginning(): Promise<string> {
    const { identifyMs } = this.#pace;
    const sinceMs = performance.now() - this.#identifiedAt;
    if (this.#identifiedAt > 0 && sinceMs < identifyMs) {
      await wait(identifyMs - sinceMs, undefined, { signal: this.#tools.signal });
    }
    const { url, connections } = await fetchGateway(this.#account, this.#tools);
    this.#identifiedAt = performance.now();
    this.#notice = shardWarning(connections);
    return url;
  }

  #hear(): void {
    const now = performance.now();
    this.#heardAt = now;
    this.#inbox.heard();
    if (now - this.#aliveAt < ALIVE_MS) return;
    this.#aliveAt = now;
    this.#tools.alive(this.#notice);
  }

  /** Throws where another connection would help nobody. */
  #settle(ending: ConnectionEnd): void {
    this.#because = ending.because;
    if (ending.next === 'stop') {
      if (ending.code !== FORBIDDEN_INTENT || !this.#asksForContent) {
        throw new ConnectorError(ending.because, { advice: { retry: 'never' }, account: true });
      }
      this.#asksForContent = false;
    }
    // A session that cannot be gone on with is not tried for ever.
    const isLost = ending.next === 'identify' || this.#failures > 2;
    if (isLost) this.#inbox.forgetSession();
    if (performance.now() - this.#heardAt > this.#pace.patienceMs) {
      throw new ConnectorError(this.#because, { advice: { retry: 'backoff' } });
    }
  }

  async #pause(ending: ConnectionEnd): Promise<void> {
    const { pauseMs, longestPauseMs } = this.#pace;
    const backoffMs =
      this.#failures === 0 ? 0 : Math.min(longestPauseMs, pauseMs * 2 ** (this.#failures - 1));
    this.#failures += 1;
    const afterMs = Math.max(backoffMs, 'afterMs' in ending ? (ending.afterMs ?? 0) : 0);
    if (afterMs > 0) await wait(afterMs, undefined, { signal: this.#tools.signal });
  }
}

const HOMES = /(^|\.)discord\.(gg|com)$/;

const schema = z.object({
  url: z.string(),
  shards: optionalField(z.int()),
  session_start_limit: optionalField(z.object({ remaining: z.int(), reset_after: z.number() })),
});

interface Gateway {
  readonly url: string;
  /** How many connections Discord would have this bot hold. */
  readonly connections: number;
}

/** Where a session can begin. Throws where Discord lets this bot begin no more of them for now. */
async function fetchGateway(account: DiscordAccount, tools: CallTools): Promise<Gateway> {
  const call = { method: 'GET', path: '/gateway/bot', result: schema } as const;
  const { url, shards, session_start_limit: limit } = await callDiscordOrThrow(call, account, tools);
  if (limit !== null && limit.remaining < 1) {
    throw new ConnectorError('Discord lets this bot begin no more sessions for a while.', {
      advice: { retry: 'after', afterMs: limit.reset_after },
    });
  }
  return { url, connections: shards ?? 1 };
}

/** The address of a socket: of Discord, or of the host that the operator named. */
function socketUrl(address: string, { settings }: DiscordAccount): string {
  const url = URL.parse(address);
  const own = URL.parse(settings.api_base_url ?? '');
  const isHome = url?.protocol === 'wss:' && HOMES.test(url.hostname);
  const isOwn = url !== null && ['ws:', 'wss:'].includes(url.protocol) && url.hostname === own?.hostname;
  if (url === null || !(isHome || isOwn)) {
    throw new ConnectorError('The address of the gateway is neither of Discord nor of api_base_url.', {
      advice: { retry: 'backoff' },
    });
  }
  url.search = new URLSearchParams({ v: '10', encoding: 'json' }).toString();
  return url.href;
}

/** What to know of a bot that Discord would have hold several connections; it asks for that long before it insists. */
function shardWarning(connections: number): string | undefined {
  if (connections <= 1) return undefined;
  return `Discord recommends ${connections} connections for this bot (shards), and Parley holds one. All is well so far; in more than 2,500 servers Discord will refuse it: give some of the servers a bot of their own before that.`;
}
