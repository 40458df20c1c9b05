import type { Tools } from '../../core/contract/account.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import { platformError } from './platform-error.ts';
import { readCapped } from './read-capped.ts';

/** The file in a response. Throws a ConnectorError where there is none, or it is too large. */
export async function fileIn(
  response: Response,
  platform: string,
  { now }: Pick<Tools, 'now'>,
): Promise<FetchedFile> {
  if (!response.ok) {
    await response.body?.cancel();
    throw platformError(`${platform} answered with status ${response.status}.`, response, now());
  }
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
  return { contentType, body: await readCapped(response, platform) };
}
