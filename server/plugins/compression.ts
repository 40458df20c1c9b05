import compress from '@fastify/compress';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const smallestBytes = 1_024;

/**
 * Compresses texts of 1 kB and more with brotli or gzip, as the client accepts. Event streams are written past the
 * framework and stay as they are; so do bodies that are compressed already. Requests are never decompressed: a small one
 * could unpack to any size.
 */
export function compression(app: FastifyInstance): void {
  app.register(compress, { threshold: smallestBytes, encodings: ['br', 'gzip'], globalDecompression: false });
}

/**
 * Sends the response of `request` uncompressed. For pages that repeat text from their address beside private text: the
 * length of the compressed page would tell an observer what both have in common.
 */
export function sendUncompressed({ headers }: FastifyRequest): void {
  headers['x-no-compression'] = 'true';
}
