import { useCallback, useEffect, useRef, useState } from 'react';
import type { AnswerFrame, FinalFrame } from './answer-stream.ts';
import { ConnectionError, type ErrorFacts, errorFrom, ParleyError } from './errors.ts';
import { readEvents } from './events.ts';

export interface ChatMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Everything about a complete answer. Null while it is written, and for questions. */
  readonly final: FinalFrame | null;
}

export interface ChatOptions {
  /** The route of yours that `parleyRoute` made, such as `/api/parley`. */
  readonly endpoint: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface Chat {
  readonly messages: readonly ChatMessage[];
  /** `asking` while an answer is written. */
  readonly status: 'ready' | 'asking' | 'failed';
  /** A text to show while the answer has no words yet, such as "Searching the documents". */
  readonly stage: string | null;
  readonly error: ParleyError | null;
  /** Asks a question. The hook ignores the call while an answer is written. */
  readonly ask: (query: string) => Promise<void>;
  /** Asks the last question again after a failure. */
  readonly retry: () => Promise<void>;
  readonly stop: () => void;
  /** Begins a new conversation. */
  readonly reset: () => void;
}

interface State {
  readonly messages: readonly ChatMessage[];
  readonly status: Chat['status'];
  readonly stage: string | null;
  readonly error: ParleyError | null;
}

const empty: State = { messages: [], status: 'ready', stage: null, error: null };
type RouteFrame = AnswerFrame | { readonly type: 'error'; readonly code: string; readonly detail: string };

/** Keeps one conversation with Parley. Nothing is asked after the component has left the page. */
export function useParley({ endpoint, fetch = globalThis.fetch }: ChatOptions): Chat {
  const [state, setState] = useState(empty);
  const running = useRef<AbortController | null>(null);
  const conversation = useRef<string | undefined>(undefined);
  const question = useRef<string | null>(null);

  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
  }, []);
  useEffect(() => stop, [stop]);

  const send = useCallback(
    async (query: string) => {
      if (running.current !== null) return;
      const own = new AbortController();
      running.current = own;
      question.current = query;
      const [asked, answer] = [newMessage('user', query), newMessage('assistant', '')];
      setState(({ messages }) => ({
        ...{ status: 'asking', stage: null, error: null },
        messages: [...messages, asked, answer],
      }));
      try {
        for await (const frame of ask(
          fetch,
          endpoint,
          { query, conversationId: conversation.current },
          own,
        )) {
          if (own.signal.aborted) break;
          if (frame.type === 'final') conversation.current = frame.conversationId;
          setState((current) => withFrame(current, answer.id, frame));
        }
        setState((current) => ({ ...current, status: 'ready', stage: null }));
      } catch (error) {
        const failure = own.signal.aborted ? null : toError(error);
        setState((current) => ({
          ...current,
          status: failure === null ? 'ready' : 'failed',
          stage: null,
          error: failure,
        }));
      } finally {
        if (running.current === own) running.current = null;
      }
    },
    [endpoint, fetch],
  );

  const retry = useCallback(async () => {
    if (question.current === null || running.current !== null) return;
    // The failed question and what came of its answer make place for the new attempt.
    setState((current) => ({ ...current, messages: current.messages.slice(0, -2) }));
    await send(question.current);
  }, [send]);

  const reset = useCallback(() => {
    stop();
    conversation.current = undefined;
    question.current = null;
    setState(empty);
  }, [stop]);

  return { ...state, ask: send, retry, stop, reset };
}

async function* ask(
  fetch: typeof globalThis.fetch,
  endpoint: string,
  body: { readonly query: string; readonly conversationId: string | undefined },
  { signal }: AbortController,
): AsyncGenerator<AnswerFrame, void, undefined> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw errorFrom(readFailure(await response.text(), response.status));
  for await (const data of readEvents(response, signal)) {
    const frame: RouteFrame = JSON.parse(data);
    if (frame.type === 'error') throw errorFrom({ ...unknownFailure, ...frame });
    yield frame;
    if (frame.type === 'final') return;
  }
}

/** A route of another make may fail with something else than JSON. */
function readFailure(text: string, status: number): ErrorFacts {
  try {
    return { ...unknownFailure, ...JSON.parse(text), status };
  } catch (error) {
    if (error instanceof SyntaxError) return { ...unknownFailure, status };
    throw error;
  }
}

const unknownFailure: ErrorFacts = {
  code: 'invalid_response',
  detail: 'The route did not answer as expected.',
  status: null,
  requestId: null,
  retryAfter: null,
};

function withFrame(current: State, id: string, frame: AnswerFrame): State {
  if (frame.type === 'status') return { ...current, stage: frame.text };
  const change = (message: ChatMessage): ChatMessage =>
    frame.type === 'final'
      ? { ...message, content: frame.answer, final: frame }
      : { ...message, content: message.content + frame.token };
  const messages = current.messages.map((message) => (message.id === id ? change(message) : message));
  return { ...current, messages, stage: null };
}

let messages = 0;

/** The id is unique on this page. `crypto.randomUUID` is not there on pages without https. */
function newMessage(role: ChatMessage['role'], content: string): ChatMessage {
  messages += 1;
  return { id: `message-${messages}`, role, content, final: null };
}

function toError(error: unknown): ParleyError {
  return error instanceof ParleyError ? error : new ConnectionError('connection_failed', error);
}
