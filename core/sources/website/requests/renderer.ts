import {
  FetchError,
  type GuardedRequest,
  type GuardedResponse,
  type ResolveHost,
  requirePublicHost,
  resolveWithSystem,
} from '../../../base/http-client.ts';
import { ItemError } from '../../source-reader.ts';

/** As much HTML as a page may have. */
const MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

interface RendererOptions {
  /** The service of the operator; it may be in a private network. Null: there is none. */
  readonly url: string | null;
  /** Whether pages of private networks are read as well. */
  readonly allowPrivate: boolean;
  readonly fetch: (address: string, request: GuardedRequest) => Promise<GuardedResponse>;
  readonly signal: AbortSignal;
  readonly resolveHost?: ResolveHost;
}

/** Draws a page in a browser and returns its HTML. */
export type RenderPage = (address: string) => Promise<GuardedResponse>;

/**
 * Returns a function that lets a service draw pages: it posts `{"url": "…"}` as JSON and gets HTML with status 200, as
 * `/content` of Browserless does. Only an address that the guard allows is handed on. Nothing of the source's credentials is.
 * The function throws an ItemError, which does not name the service: its address may hold a token.
 */
export function createRenderer({ url, ...options }: RendererOptions): RenderPage | null {
  if (url === null) return null;
  const { allowPrivate, fetch, signal, resolveHost = resolveWithSystem } = options;
  return async (address) => {
    if (!allowPrivate) await requirePublic(address, resolveHost);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { accept: 'text/html', 'content-type': 'application/json' },
        body: JSON.stringify({ url: address }),
        ...{ maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, maxRedirects: 0, allowPrivate: true, signal },
      });
      if (response.status === 200) return { ...response, url: address };
      throw rendererFailed(address, `it answered with status ${response.status}`);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      throw rendererFailed(address, reasons[error.code] ?? 'it cannot be reached');
    }
  };
}

const reasons: Partial<Record<FetchError['code'], string>> = {
  timed_out: `it did not answer within ${TIMEOUT_MS / 1_000} seconds`,
  too_large: `the page has more than ${MAX_BYTES / 2 ** 20} MB of HTML`,
};

async function requirePublic(address: string, resolveHost: ResolveHost): Promise<void> {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  try {
    requirePublicHost(host, await resolveHost(host));
  } catch (error) {
    if (error instanceof FetchError) throw new ItemError(error.code, error.message, { cause: error });
    throw new ItemError('host_unreachable', `${host} cannot be reached: its name cannot be resolved.`, {
      cause: error,
    });
  }
}

function rendererFailed(address: string, reason: string): ItemError {
  return new ItemError(
    'renderer_failed',
    `A script draws ${address}, and the renderer of this installation failed: ${reason}. The next run tries again.`,
  );
}
