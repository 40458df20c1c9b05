import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { platformError, unreachableError } from './http.ts';

/** Returns the kind of a file, by the content type that its platform reports (`image/png`). */
export function fileKind(contentType: string | null): Attachment['kind'] {
  const family = contentType?.split('/', 1)[0]?.toLowerCase();
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}

interface FileRequest {
  readonly address: string;
  /** The name of the platform, for error messages. */
  readonly platform: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Secrets in the address or the headers. They are removed from errors. */
  readonly secrets: readonly string[];
}

/** Requests a file from its platform. It does not follow redirects: the caller decides about the next address. */
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

/** Reads the file from a response. Throws a ConnectorError if the status is not 2xx or the file is too large. */
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

/** More than most platforms accept. */
const MAX_BYTES = 16_000_000;

/** Reads a body up to the limit. It counts the bytes received, because Content-Length can be wrong. */
async function readLimited(response: Response, platform: string): Promise<Uint8Array> {
  const declaredBytes = Number(response.headers.get('content-length') ?? 0);
  if (declaredBytes > MAX_BYTES) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ConnectorError ? error : unreachableError(platform, error, []);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): ConnectorError {
  return new ConnectorError('The file is larger than 16 MB.', { advice: { retry: 'never' } });
}
