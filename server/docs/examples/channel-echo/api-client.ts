import { z } from 'zod';
import { parseJson, platformError, unreachableError } from '../../../../connectors/shared/http.ts';
import type { Tools } from '../../../../core/contract/account.ts';
import { ConnectorError } from '../../../../core/contract/connector-error.ts';
import type { EchoAccount } from './manifest.ts';

const HOME = 'https://api.echo.example';

interface Call<Result extends z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** The schema of the used response fields. */
  readonly result: Result;
}

/** Calls Echo's API. Throws a ConnectorError with Echo's own words, and whether and when another try may help. */
export async function callEcho<Result extends z.ZodType>(
  { method, path, body, result }: Call<Result>,
  { credentials, settings }: EchoAccount,
  { fetch, signal, now }: Tools,
): Promise<z.infer<Result>> {
  let response: Response;
  let bytes: Uint8Array;
  try {
    response = await fetch(new URL(path, settings.api_base_url ?? HOME), {
      method,
      headers: { authorization: `Bearer ${credentials.api_token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
    bytes = await response.bytes();
  } catch (error) {
    throw error instanceof ConnectorError
      ? error
      : unreachableError('Echo', error, Object.values(credentials));
  }
  const answer = parseJson(bytes);
  if (response.ok) {
    const parsed = result.safeParse(answer);
    if (parsed.success) return parsed.data;
  }
  const told = z.object({ error: z.string() }).safeParse(answer);
  const message = told.success ? told.data.error : `Echo answered with status ${response.status}.`;
  throw platformError(
    message,
    { ...response, status: response.status, headers: response.headers, foreign: !told.success },
    now(),
  );
}
