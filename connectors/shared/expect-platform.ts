import { ConnectorError } from '../../core/contract/connector-error.ts';
import { FetchError } from '../../core/http-client.ts';

interface Checked {
  readonly settings: { readonly api_base_url?: string | undefined };
}

/**
 * Runs the check of an account. Where the operator chose the address and whatever answers there does not speak the
 * protocol of `platform`, the error says so; any other error is passed on as it is.
 */
export async function expectPlatform<Result>(
  platform: string,
  { settings }: Checked,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    const host = settings.api_base_url === undefined ? null : URL.parse(settings.api_base_url)?.host;
    if (host == null || !isForeign(error)) throw error;
    throw new ConnectorError(`What answers at ${host} is not ${platform}. Check api_base_url.`, {
      advice: { retry: 'never' },
      cause: error,
    });
  }
}

/** Clients of platforms throw errors of any kind when they read an answer of another shape. */
function isForeign(error: unknown): boolean {
  if (error instanceof ConnectorError) return error.foreign;
  return !(error instanceof FetchError);
}
