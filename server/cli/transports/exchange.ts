import type { Method } from './operator-api.ts';

export interface ExchangeRequest {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** One request and its answer, over whatever carries them. */
export type Exchange = (
  request: ExchangeRequest,
) => Promise<{ readonly status: number; readonly text: string }>;
