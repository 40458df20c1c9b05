import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asset } from './bundle.ts';

/** Sends a script or a style in the smallest form that the browser takes. Any page may load it: it holds no secret. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  caching: string,
): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = /\bbr\b/.test(accepted) ? 'brotli' : /\bgzip\b/.test(accepted) ? 'gzip' : 'plain';
  const tag = `"${asset.name}"`;
  reply.headers({
    'content-type': asset.name.endsWith('.css')
      ? 'text/css; charset=utf-8'
      : 'text/javascript; charset=utf-8',
    'cache-control': caching,
    etag: tag,
    vary: 'Accept-Encoding',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
    ...(encoding !== 'plain' && { 'content-encoding': encoding === 'brotli' ? 'br' : 'gzip' }),
  });
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(asset[encoding]);
}
