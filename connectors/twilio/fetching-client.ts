import twilio from 'twilio';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { unreachableError } from '../shared/http.ts';
import type { TwilioAccount } from './account.ts';
import { resolveApiUrl } from './account.ts';
import { refusalError } from './refusal-error.ts';

type ClientTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;
type Options<Data> = Parameters<typeof twilio.RequestClient.prototype.request<Data>>[0];
type LibraryResponse<Data> = Awaited<ReturnType<typeof twilio.RequestClient.prototype.request<Data>>>;

const TIMEOUT_MS = 30_000;

/**
 * Sends the library's requests with the guarded `fetch` and the configured base URL. Refusals become ConnectorErrors.
 */
export class FetchingClient extends twilio.RequestClient {
  readonly #account: TwilioAccount;
  readonly #tools: ClientTools;

  constructor(account: TwilioAccount, tools: ClientTools) {
    super();
    this.#account = account;
    this.#tools = tools;
  }

  override async request<Data>(options: Options<Data>): Promise<LibraryResponse<Data>> {
    const { status, headers, text } = await this.#post(options);
    const body = parseBody<Data>(text);
    if (status >= 400) throw refusalError({ status, headers, body }, this.#tools.now());
    if (body !== undefined) return { statusCode: status, body, headers: Object.fromEntries(headers) };
    throw new ConnectorError("The response is not Twilio's.", {
      advice: { retry: 'backoff' },
      foreign: true,
    });
  }

  async #post<Data>({ method, uri, params, data, headers }: Options<Data>) {
    const { credentials, settings } = this.#account;
    const { account_sid, auth_token } = credentials;
    const address = new URL(resolveApiUrl(uri, settings.api_base_url));
    for (const [name, value] of formFields(params)) address.searchParams.append(name, value);
    const basic = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
    try {
      return await withDeadline({ timeoutMs: TIMEOUT_MS, signal: this.#tools.signal }, async (signal) => {
        const response = await this.#tools.fetch(address, {
          method: method.toUpperCase(),
          headers: { ...headers, authorization: `Basic ${basic}` },
          ...(data !== undefined && { body: new URLSearchParams(formFields(data)) }),
          redirect: 'error',
          signal,
        });
        return { status: response.status, headers: response.headers, text: await response.text() };
      });
    } catch (error) {
      throw unreachableError('Twilio', error, [auth_token, basic, account_sid]);
    }
  }
}

/** Flattens an object of the library into form fields. A list becomes a repeated field. */
function formFields(data: unknown): [name: string, value: string][] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, String(one)]])),
  );
}

function parseBody<Data>(text: string): Data | undefined {
  try {
    const body: Data = JSON.parse(text);
    return body;
  } catch {
    return undefined;
  }
}
