import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { platformError, unreachableError } from './http.ts';

/** What a file is, by what its platform calls it (`image/png`). */
export function fileKind(contentType: string | null): Attachment['kind'] {
  const family = contentType?.split('/', 1)[0]?.toLowerCase();
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}

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

/** The file in a response. Throws a ConnectorError where there is none, or it is too large. */
export async function readFile(
  response: Response,
  platform: string,
  { now }: Pick<Tools, 'now'>,
): Promise<FetchedFile> {
  if (!response.ok) {
    await response.body?.cancel();
    throw platformError(`${platform} answered with status ${response.status}.`, response, now());
  }
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
  return { contentType, body: await readLimited(response, platform) };
}

/** More than most platforms let anybody send. */
const MAX_BYTES = 16_000_000;

/** The file in a response, as long as it is not too large: what it says of its length is not believed. */
async function readLimited(response: Response, platform: string): Promise<Uint8Array> {
  const told = Number(response.headers.get('content-length') ?? 0);
  if (told > MAX_BYTES) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw tooLarge();
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof ConnectorError ? error : unreachableError(platform, error, []);
  }
  return Buffer.concat(pieces);
}

function tooLarge(): ConnectorError {
  return new ConnectorError('The file is larger than 16 MB.', { advice: { retry: 'never' } });
}
