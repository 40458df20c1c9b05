import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { TypedApp } from '../../typed-app.ts';
import { assetShelf } from './asset-shelf.ts';
import { sendAsset } from './send-asset.ts';

const params = z.object({ name: z.string() });
const hidden = { hide: true };

/** Pages keep the loader for ten minutes, and show an old one meanwhile for a day. */
const loaderCaching = 'public, max-age=600, stale-while-revalidate=86400';
const foreverCaching = 'public, max-age=31536000, immutable';

/** `/widget.js` and what it fetches. */
export function getAssets(app: TypedApp): void {
  app.get('/widget.js', { schema: hidden }, async (request, reply) =>
    sendAsset(request, reply, (await assetShelf.get()).loader, loaderCaching),
  );
  app.get('/widget/assets/:name', { schema: { ...hidden, params } }, async (request, reply) => {
    const { name } = request.params;
    const assets = Object.values(await assetShelf.get());
    const exact = assets.find((asset) => asset.name === name);
    if (exact !== undefined) return sendAsset(request, reply, exact, foreverCaching);
    // Of another version, which runs beside this one for a moment or did before.
    const [kind] = name.split('-', 1);
    const other = assets.find(
      (asset) => asset.name.startsWith(`${kind}-`) && extensionOf(asset.name) === extensionOf(name),
    );
    if (other === undefined) throw new AppError('route_not_found');
    return sendAsset(request, reply, other, 'no-cache');
  });
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}
