import { type Clock, systemWait, type Wait } from '../base/clock.ts';
import { type GuardedRequest, type GuardedResponse, guardedFetch } from '../base/http-client.ts';
import type { ConnectorThreads } from '../base/threads/thread-pool.ts';
import { createFilter } from './patterns.ts';
import type { PageMemory, SourceTools } from './source-reader.ts';
import { createRenderer } from './website/requests/renderer.ts';
import { SiteSession } from './website/requests/site-session.ts';

/** The tools of readers; the real ones if absent. */
export interface ToolParts {
  readonly clock: Clock;
  /** Allows hosts in private networks and this machine too. */
  readonly allowPrivate: boolean;
  readonly threads: Pick<ConnectorThreads, 'run'>;
  readonly fetch?: ((address: string, request: GuardedRequest) => Promise<GuardedResponse>) | undefined;
  readonly wait?: Wait | undefined;
  /** The service that draws pages for this installation. */
  readonly rendererUrl?: string | undefined;
}

interface ReaderContext {
  readonly workspaceId: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
  readonly memory: PageMemory;
  /** A new one if absent. */
  readonly session?: SiteSession;
}

export function openTools(
  { clock, allowPrivate, threads, fetch = guardedFetch, wait = systemWait, rendererUrl }: ToolParts,
  { workspaceId, include, exclude, signal, memory, session = new SiteSession() }: ReaderContext,
): SourceTools {
  return {
    workspaceId,
    fetch: (address, request) =>
      fetch(address, {
        ...request,
        allowPrivate,
        signal: request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]),
      }),
    runInThread: (task) => threads.run(task, { owner: workspaceId, signal }),
    wait: (ms) => wait(ms, signal),
    now: () => clock.now(),
    signal,
    isWanted: createFilter({ include, exclude }),
    memory,
    session,
    render: createRenderer({ url: rendererUrl ?? null, allowPrivate, fetch, signal }),
  };
}

/**
 * Returns a text without the values of credentials: tools may repeat them in their errors. The result has at most
 * 1,000 characters.
 */
export function withoutSecrets(text: string, credentials: unknown): string {
  const hidden = secretsIn(credentials).reduce((left, secret) => left.replaceAll(secret, '•••'), text);
  return Array.from(hidden).slice(0, 1_000).join('');
}

/** Shorter values are words that a text may contain anyway. */
const SECRET_CHARACTERS = 6;

function secretsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < SECRET_CHARACTERS ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}
