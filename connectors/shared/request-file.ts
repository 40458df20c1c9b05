import type { Tools } from '../../core/contract/account.ts';
import { unreachableError } from './unreachable-error.ts';

interface FileRequest {
  readonly address: string;
  /** Who keeps it, for who reads of it. */
  readonly platform: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What stands in the address or the headers, and may not stand in an error. */
  readonly secrets: readonly string[];
}

/** Asks for a file where its platform keeps it, and nowhere else: that it is led to another place is an answer. */
export async function requestFile(
  { address, platform, headers = {}, secrets }: FileRequest,
  { fetch, signal }: Pick<Tools, 'fetch' | 'signal'>,
): Promise<Response> {
  try {
    return await fetch(address, { headers, redirect: 'manual', signal });
  } catch (error) {
    throw unreachableError(platform, error, secrets);
  }
}
