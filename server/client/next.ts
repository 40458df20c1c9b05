import { Parley, type ProvenUser, type QueryRequest } from './parley.ts';
import type { ParleyOptions } from './transport.ts';

/** The service takes questions of at most 4,000 characters. */
const LONGEST_BODY = 20_000;

export interface RouteOptions extends ParleyOptions {
  /** Returns the person who is signed in with you: their questions carry a proof. Null means an anonymous visitor. */
  readonly userOf?: (request: Request) => Promise<ProvenUser | null> | ProvenUser | null;
  /** Identifies the visitor's session, such as by a cookie of yours: their conversations stay theirs. */
  readonly sessionOf?: (request: Request) => string | undefined;
}

/**
 * Returns the handlers of a route (`app/api/parley/route.ts` in Next.js, or any server with `Request` and `Response`) that
 * takes `{"query", "conversationId"}` from your page and streams the answer. The key stays on the server.
 */
export function parleyRoute({ userOf, sessionOf, ...options }: RouteOptions): {
  readonly POST: (request: Request) => Promise<Response>;
} {
  const parley = new Parley(options);
  const POST = async (request: Request) => {
    const question = parseQuestion(await request.text());
    if (question === null) {
      const detail = 'Send {"query": "…"} as JSON, and "conversationId" to go on with a conversation.';
      return Response.json({ code: 'invalid_body', detail }, { status: 400 });
    }
    const user = (await userOf?.(request)) ?? null;
    const sessionId = sessionOf?.(request);
    const asked = sessionId === undefined ? question : { ...question, sessionId };
    const asking = user === null ? parley : parley.withUser(user);
    return asking.stream(asked, { signal: request.signal }).toResponse();
  };
  return { POST };
}

function parseQuestion(text: string): QueryRequest | null {
  if (text.length > LONGEST_BODY) return null;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('query' in body)) return null;
    const { query } = body;
    if (typeof query !== 'string' || query === '') return null;
    const id = 'conversationId' in body ? body.conversationId : undefined;
    return typeof id === 'string' ? { query, conversationId: id } : { query };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
