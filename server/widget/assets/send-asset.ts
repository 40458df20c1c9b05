import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCompressed } from '../../compressed-body.ts';
import type { Asset } from './bundle.ts';

/** Sends a script or a style. Any page may load it: it holds no secret. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, body }: Asset,
  caching: string,
): FastifyReply {
  reply.headers({
    'content-type': name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    'cache-control': caching,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
  });
  return sendCompressed(request, reply, body);
}
