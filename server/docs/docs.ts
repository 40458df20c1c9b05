import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { loadOnce } from '../../core/base/async.ts';
import { AppError } from '../../core/base/errors.ts';
import { foreverCaching, loadAssetSet } from '../pages/assets.ts';
import { type CompressedBody, compressBody, sendCompressed } from '../plugins/compression.ts';
import type { TypedApp } from '../typed-app.ts';
import { docsAssets } from './assets.ts';
import { contentSecurityPolicy, type DocsSite, renderIndex, renderPage, renderSearch } from './layout.ts';
import { type DocsLibrary, loadLibrary } from './library.ts';
import { referenceRoutes } from './reference.ts';
import { SearchIndex } from './search.ts';

const hiddenSchema = { hide: true };
const searchSchema = z.object({ q: z.string().trim().catch('').default('') });
const maxQueryLength = 200;

interface Docs extends DocsSite {
  readonly search: SearchIndex;
  readonly images: ReadonlyMap<string, Buffer>;
}

/**
 * The documentation: guides at /docs/guide, the set-up of each channel at /docs/channels, a search over both, and the
 * API reference at /docs. The first reader has the pages loaded and indexed: a start does not wait for them.
 */
export function docsRoutes(app: TypedApp): void {
  referenceRoutes(app);
  const docs = loadOnce(openDocs);
  const rendered = new Map<string, Promise<CompressedBody>>();

  app.get('/docs/guide', { schema: hiddenSchema }, async (request, reply) => {
    const site = await docs();
    return sendPage({ request, reply }, 'guide', () => renderIndex(site));
  });
  app.get('/docs/channels', { schema: hiddenSchema }, async (_request, reply) =>
    reply.redirect('./guide#channels', 308),
  );
  for (const section of ['guide', 'channels'] as const) {
    const params = z.object({ slug: z.string() });
    app.get(`/docs/${section}/:slug`, { schema: { ...hiddenSchema, params } }, async (request, reply) => {
      const site = await docs();
      const page = site.library.find(`${section}/${request.params.slug}`);
      if (page === undefined) throw new AppError('route_not_found');
      return sendPage({ request, reply }, page.path, () => renderPage(page, site));
    });
  }
  app.get(
    '/docs/search',
    { schema: { ...hiddenSchema, querystring: searchSchema } },
    async (request, reply) => {
      const site = await docs();
      const query = request.query.q.slice(0, maxQueryLength);
      reply.headers(pageHeaders).type('text/html; charset=utf-8');
      return reply.send(renderSearch({ query, results: site.search.find(query) }, site));
    },
  );
  app.get(
    '/docs/search.json',
    { schema: { ...hiddenSchema, querystring: searchSchema } },
    async (request, reply) => {
      const { search } = await docs();
      const results = search.find(request.query.q.slice(0, maxQueryLength), 8);
      return reply.header('cache-control', 'no-cache').send({ results });
    },
  );
  app.get(
    '/docs/assets/:name',
    { schema: { ...hiddenSchema, params: z.object({ name: z.string() }) } },
    async (request, reply) => {
      const { assets } = await docs();
      const asset = Object.values(assets).find(({ name }) => name === request.params.name);
      if (asset === undefined) throw new AppError('route_not_found');
      reply.type(asset.contentType).header('cache-control', foreverCaching);
      return sendCompressed(request, reply, asset.body);
    },
  );
  app.get(
    '/docs/images/:name',
    { schema: { ...hiddenSchema, params: z.object({ name: z.string() }) } },
    async (request, reply) => {
      const image = (await docs()).images.get(request.params.name);
      if (image === undefined) throw new AppError('route_not_found');
      return reply.type('image/webp').header('cache-control', 'public, max-age=86400').send(image);
    },
  );

  /** Renders a page once and keeps it: its text cannot change while the process runs. */
  async function sendPage(
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    path: string,
    render: () => string,
  ): Promise<FastifyReply> {
    const known = rendered.get(path) ?? compressBody(render(), { brotliQuality: 9 });
    rendered.set(path, known);
    reply.headers(pageHeaders).type('text/html; charset=utf-8');
    return sendCompressed(request, reply, await known);
  }
}

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

async function openDocs(): Promise<Docs> {
  const library: DocsLibrary = await loadLibrary();
  const [assets, images] = await Promise.all([loadAssetSet(docsAssets), library.loadImages()]);
  return { library, assets, images, search: new SearchIndex(library.pages) };
}
