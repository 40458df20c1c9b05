import { ConnectorError } from '../../core/contract/connector-error.ts';
import { unreachableError } from './unreachable-error.ts';

/** More than most platforms let anybody send. */
const MOST_BYTES = 16_000_000;

/** The file in a response, as long as it is not too large: what it says of its length is not believed. */
export async function readCapped(response: Response, platform: string): Promise<Uint8Array> {
  const told = Number(response.headers.get('content-length') ?? 0);
  if (told > MOST_BYTES) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw tooLarge();
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
