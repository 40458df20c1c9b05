import { shipBundle } from './dashboard/bundle-cache.ts';
import { docsAssets } from './docs/assets.ts';
import { shipAssetSet } from './pages/assets.ts';
import { shippedFolder } from './pages/built-files.ts';
import { widgetAssets } from './widget/bundle.ts';

/**
 * Builds what browsers load before the first start: `npm run bundle`, or `npm run bundle -- FOLDER` into another folder. The
 * image has the result, so that its containers never bundle.
 */
const [, , folder = shippedFolder] = process.argv;
await Promise.all([shipBundle(folder), shipAssetSet(widgetAssets, folder), shipAssetSet(docsAssets, folder)]);
