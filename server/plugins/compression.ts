import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const minBytes = 1_024;

/**
 * Compresses text responses of 1 kB and more with brotli or gzip, as the client accepts. Event streams bypass
 * Fastify and stay uncompressed, as do bodies that are already compressed. Requests are never decompressed,
 * because a small one could expand to any size.
 */
export function compression(app: FastifyInstance): void {
  app.register(compress, { threshold: minBytes, encodings: ['br', 'gzip'], globalDecompression: false });
}

/**
 * Sends the response of `request` uncompressed. For pages that contain text of their URL next to private
 * text: the length of the compressed page would reveal what both have in common.
 */
export function sendUncompressed({ headers }: FastifyRequest): void {
  headers['x-no-compression'] = 'true';
}

/** A text that does not change while the process runs, in every encoding that clients accept. */
export interface CompressedBody {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  /** Hexadecimal SHA-256 of the text, shortened to 12 characters. */
  readonly hash: string;
}

const zip = { gzip: promisify(gzip), brotli: promisify(brotliCompress) };

/**
 * Compresses a text or a file outside the event loop. `brotliQuality` defaults to 11; large texts take seconds with
 * more than 9.
 */
export async function compressBody(
  content: string | Buffer,
  { brotliQuality = 11 }: { readonly brotliQuality?: number } = {},
): Promise<CompressedBody> {
  const plain = Buffer.from(content);
  const [gzipped, brotli] = await Promise.all([
    zip.gzip(plain, { level: 9 }),
    zip.brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  ]);
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 12);
  return { plain, gzip: gzipped, brotli, hash };
}

/** Sends `body` in the smallest encoding that the client accepts, or 304 if the client already has it. */
export function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: CompressedBody,
): FastifyReply {
  const accepted = acceptedEncodings(String(headers['accept-encoding'] ?? ''));
  const tag = `"${body.hash}"`;
  const varies = reply.getHeader('vary');
  reply.headers({ etag: tag, vary: varies === undefined ? 'Accept-Encoding' : `${varies}, Accept-Encoding` });
  if (parseTags(headers['if-none-match']).includes(tag)) return reply.code(304).send();
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

/** Ignores the weak mark, which proxies add when they compress: the text is the same. */
function parseTags(header: string | undefined): string[] {
  return (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
