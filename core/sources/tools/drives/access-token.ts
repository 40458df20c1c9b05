import { z } from 'zod';
import type { ToolClient } from '../kit/tool-client.ts';

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });
/** A token is replaced this long before it ends, so that none ends on the way. */
const MARGIN_SECONDS = 60;

interface TokenRequest {
  readonly client: ToolClient;
  readonly path: () => string;
  readonly now: () => Date;
  /** Returns the fields of the request. `seconds` is the time since 1970. */
  readonly fields: (
    seconds: number,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** An OAuth 2.0 access token, requested when it is needed and kept until it ends. */
export class AccessToken {
  readonly #request: TokenRequest;
  #token = '';
  #expiresAt = 0;

  constructor(request: TokenRequest) {
    this.#request = request;
  }

  async get(): Promise<string> {
    const { client, path, now: readTime, fields } = this.#request;
    const now = readTime().getTime();
    if (now < this.#expiresAt) return this.#token;
    const body = new URLSearchParams(await fields(Math.floor(now / 1_000)));
    const { value } = await client.list(tokenSchema, path(), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
    this.#token = value.access_token;
    this.#expiresAt = now + Math.max(value.expires_in - MARGIN_SECONDS, 0) * 1_000;
    return this.#token;
  }
}
