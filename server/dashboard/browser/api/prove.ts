import type { startAuthentication } from '@simplewebauthn/browser';
import { problemOf, readProblem, unreachable } from './problem.ts';

/** How the person can prove who they are. */
export type ProofWay = 'password' | 'code' | 'passkey';

export interface ProofOffer {
  /** Empty: the session can prove nothing here. */
  readonly ways: readonly ProofWay[];
  /** The company that vouches for the session. */
  readonly provider: string | null;
}

/** A request that waits for a proof. */
interface Question {
  /** Null: proven. Any other text says why not, in the person's language. */
  readonly answer: (refusal: string | null) => void;
}

let question: Question | null = null;
let answered: Promise<string | null> | null = null;
const listeners = new Set<() => void>();

export const readQuestion = () => question;

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * As `fetch`. If the server asks for a proof of the person, the dialog asks for it in place, and the same request is sent again.
 * If the person gives none, the answer of the server says so.
 */
export async function fetchProven(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  if (response.status !== 403 || listeners.size === 0) return response;
  const { code, requestId } = await readProblem(response);
  if (code !== 'proof_required') return response;
  const refusal = await ask();
  if (refusal === null) return fetch(again);
  return Response.json({ code, detail: refusal, request_id: requestId }, { status: 403 });
}

/** Requests that wait at the same time have one dialog. */
function ask(): Promise<string | null> {
  answered ??= new Promise<string | null>((resolve) => {
    setQuestion({
      answer: (refusal) => {
        answered = null;
        setQuestion(null);
        resolve(refusal);
      },
    });
  });
  return answered;
}

function setQuestion(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

export const findProofWays = () => call<ProofOffer>('/dashboard/prove');

export const prove = (proof: { readonly password: string } | { readonly code: string }) =>
  call<unknown>('/dashboard/prove', proof);

type PasskeyOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export async function proveByPasskey(): Promise<void> {
  const optionsJSON = await call<PasskeyOptions>('/dashboard/auth/passkey/generate-authenticate-options');
  const browser = await import('@simplewebauthn/browser');
  const response = await browser.startAuthentication({ optionsJSON });
  await call<unknown>('/dashboard/prove', { response });
}

/** Calls the server without the dialog, which is open already. */
async function call<Data>(path: string, body?: object): Promise<Data> {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    credentials: 'same-origin',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw unreachable();
  });
  const text = await response.text();
  const parsed = JSON.parse(text === '' ? 'null' : text);
  if (!response.ok) throw problemOf(response, parsed);
  return parsed;
}
