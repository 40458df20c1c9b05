import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A text that never changes while the process runs, in every form that clients accept. */
export interface CompressedBody {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  /** Hexadecimal SHA-256 of the text, shortened to 12 characters. */
  readonly hash: string;
}

const zip = { gzip: promisify(gzip), brotli: promisify(brotliCompress) };

/** Compresses outside the event loop. `brotliQuality` is 11 when absent; large texts take seconds with more than 9. */
export async function compressBody(
  text: string,
  { brotliQuality = 11 }: { readonly brotliQuality?: number } = {},
): Promise<CompressedBody> {
  const plain = Buffer.from(text);
  const [gzipped, brotli] = await Promise.all([
    zip.gzip(plain, { level: 9 }),
    zip.brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  ]);
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 12);
  return { plain, gzip: gzipped, brotli, hash };
}

/** Sends `body` in the smallest form the client accepts, or 304 if the client already has it. */
export function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: CompressedBody,
): FastifyReply {
  const accepted = acceptedEncodings(String(headers['accept-encoding'] ?? ''));
  const tag = `"${body.hash}"`;
  reply.headers({ etag: tag, vary: 'Accept-Encoding' });
  if (knownTags(headers['if-none-match']).includes(tag)) return reply.code(304).send();
  if (accepted.includes('br')) return reply.header('content-encoding', 'br').send(body.brotli);
  if (accepted.includes('gzip')) return reply.header('content-encoding', 'gzip').send(body.gzip);
  return reply.send(body.plain);
}

function acceptedEncodings(header: string): string[] {
  const choices = header.toLowerCase().replaceAll(' ', '').split(',');
  return choices
    .map((choice) => choice.split(';q='))
    .filter(([, weight = '1']) => Number(weight) > 0)
    .map(([name = '']) => (name === '*' ? 'gzip' : name));
}

/** Proxies that compress mark a tag as weak: the text is the same. */
function knownTags(header: string | undefined): string[] {
  return (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
