import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { loadOnce } from '../../core/base/async.ts';
import { AppError } from '../../core/base/errors.ts';
import { type Asset, foreverCaching, loadAssetSet } from '../pages/assets.ts';
import { sendCompressed } from '../plugins/compression.ts';
import type { TypedApp } from '../typed-app.ts';
import { widgetAssets } from './bundle.ts';

/** The browser scripts of the process, read or built on the first request: only a widget or a page needs them. */
export const loadWidgetAssets = loadOnce(() => loadAssetSet(widgetAssets));

const assetParams = z.object({ name: z.string() });
const hiddenSchema = { hide: true };

/** Browsers cache the loader for ten minutes and may use a stale copy for a day while they revalidate it. */
const loaderCaching = 'public, max-age=600, stale-while-revalidate=86400';

/** Registers `/widget.js` and the assets that it loads. */
export function getAssets(app: TypedApp): void {
  app.get('/widget.js', { schema: hiddenSchema }, async (request, reply) =>
    sendAsset(request, reply, (await loadWidgetAssets()).loader, loaderCaching),
  );
  app.get(
    '/widget/assets/:name',
    { schema: { ...hiddenSchema, params: assetParams } },
    async (request, reply) => {
      const { name } = request.params;
      const assets = Object.values(await loadWidgetAssets());
      const exact = assets.find((asset) => asset.name === name);
      if (exact !== undefined) return sendAsset(request, reply, exact, foreverCaching);
      // The name belongs to another version, which runs or ran beside this one during a deployment.
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

/** Sends a script or a style. Any page may load it, because it contains no secret. */
function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, body }: Asset,
  caching: string,
): FastifyReply {
  reply.headers({
    'content-type': contentType,
    'cache-control': caching,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
  });
  return sendCompressed(request, reply, body);
}
