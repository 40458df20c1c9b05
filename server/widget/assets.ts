import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { sendCompressed } from '../plugins/compression.ts';
import type { TypedApp } from '../typed-app.ts';
import type { Asset, Assets } from './bundle.ts';

/** The browser's scripts, made when the first browser asks for them and kept as long as the process lives. */
class AssetCache {
  #building: Promise<Assets> | undefined;

  get(): Promise<Assets> {
    this.#building ??= loadBundle().catch((error: unknown) => {
      this.#building = undefined;
      throw error;
    });
    return this.#building;
  }
}

async function loadBundle(): Promise<Assets> {
  // A bundler, which only an installation with a widget or a page needs.
  const { buildAssets } = await import('./bundle.ts');
  return buildAssets();
}

/** What all servers of a process share. */
export const assetCache = new AssetCache();

const assetParams = z.object({ name: z.string() });
const hiddenSchema = { hide: true };

/** Pages keep the loader for ten minutes, and show an old one meanwhile for a day. */
const loaderCaching = 'public, max-age=600, stale-while-revalidate=86400';
const foreverCaching = 'public, max-age=31536000, immutable';

/** `/widget.js` and what it fetches. */
export function getAssets(app: TypedApp): void {
  app.get('/widget.js', { schema: hiddenSchema }, async (request, reply) =>
    sendAsset(request, reply, (await assetCache.get()).loader, loaderCaching),
  );
  app.get(
    '/widget/assets/:name',
    { schema: { ...hiddenSchema, params: assetParams } },
    async (request, reply) => {
      const { name } = request.params;
      const assets = Object.values(await assetCache.get());
      const exact = assets.find((asset) => asset.name === name);
      if (exact !== undefined) return sendAsset(request, reply, exact, foreverCaching);
      // Of another version, which runs beside this one for a moment or did before.
      const [kind] = name.split('-', 1);
      const other = assets.find(
        (asset) => asset.name.startsWith(`${kind}-`) && fileExtension(asset.name) === fileExtension(name),
      );
      if (other === undefined) throw new AppError('route_not_found');
      return sendAsset(request, reply, other, 'no-cache');
    },
  );
}

function fileExtension(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}

/** Sends a script or a style. Any page may load it: it holds no secret. */
function sendAsset(
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
