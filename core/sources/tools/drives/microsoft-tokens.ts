import { z } from 'zod';
import type { SourceTools } from '../../source-reader.ts';
import { apiPath, ToolClient } from '../kit/tool-client.ts';

interface App {
  readonly tenant_id: string;
  readonly client_id: string;
  readonly client_secret: string;
}

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
export class MicrosoftTokens {
  readonly #app: App;
  readonly #client: ToolClient;
  readonly #now: () => Date;
  #token = '';
  #expiresAt = 0;

  constructor(app: App, tools: SourceTools) {
    const base = 'https://login.microsoftonline.com';
    this.#client = new ToolClient({ name: 'Microsoft', base, headers: {} }, tools);
    this.#app = app;
    this.#now = tools.now;
  }

  async get(): Promise<string> {
    const now = this.#now().getTime();
    if (now < this.#expiresAt) return this.#token;
    const { tenant_id: tenant, client_id, client_secret } = this.#app;
    const scope = 'https://graph.microsoft.com/.default';
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope });
    const { value } = await this.#client.list(tokenSchema, apiPath`/${tenant}/oauth2/v2.0/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
    this.#token = value.access_token;
    this.#expiresAt = now + Math.max(value.expires_in - 60, 0) * 1_000;
    return this.#token;
  }
}
