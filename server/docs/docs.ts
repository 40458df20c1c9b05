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
import {
  markdownAddress,
  markdownPath,
  renderLlmsFullText,
  renderLlmsText,
  renderMarkdownPage,
} from './plain-pages.ts';
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
      const [, slug = '', isPlain] = slugPattern.exec(request.params.slug) ?? [];
      const page = site.library.find(`${section}/${slug}`);
      if (page === undefined) throw new AppError('route_not_found');
      reply.header('link', `<${markdownAddress(page)}>; rel="alternate"; type="text/markdown"`);
      if (isPlain !== undefined || prefersMarkdown(request))
        return sendText({ request, reply }, markdownPath(page), () => renderMarkdownPage(page, site.library));
      return sendPage({ request, reply }, page.path, () => renderPage(page, site));
    });
  }
  app.get('/llms.txt', { schema: hiddenSchema }, async (request, reply) => {
    const { library } = await docs();
    return sendText({ request, reply }, 'llms.txt', () => renderLlmsText(library));
  });
  app.get('/llms-full.txt', { schema: hiddenSchema }, async (request, reply) => {
    const { library } = await docs();
    return sendText({ request, reply }, 'llms-full.txt', () => renderLlmsFullText(library));
  });
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

  async function sendPage(exchange: Exchange, path: string, render: () => string): Promise<FastifyReply> {
    exchange.reply.headers(pageHeaders).type('text/html; charset=utf-8');
    return sendKept(exchange, path, render);
  }

  /** Sends a text for programs. Browsers of other sites may read it too. */
  async function sendText(exchange: Exchange, path: string, render: () => string): Promise<FastifyReply> {
    const type = path.endsWith('.md') ? 'text/markdown' : 'text/plain';
    exchange.reply.headers({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' });
    exchange.reply.type(`${type}; charset=utf-8`);
    return sendKept(exchange, path, render);
  }

  /** Renders a page once and keeps it: its text cannot change while the process runs. */
  async function sendKept(
    { request, reply }: Exchange,
    path: string,
    render: () => string,
  ): Promise<FastifyReply> {
    const known = rendered.get(path) ?? compressBody(render(), { brotliQuality: 9 });
    rendered.set(path, known);
    // A page exists as HTML and as Markdown at one address.
    reply.header('vary', 'Accept');
    return sendCompressed(request, reply, await known);
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const slugPattern = /^([\w-]{1,100})(\.md)?$/;

/** Browsers name HTML first. */
function prefersMarkdown({ headers }: FastifyRequest): boolean {
  const [first = ''] = String(headers.accept ?? '').split(/[,;]/, 1);
  return first.trim().toLowerCase() === 'text/markdown';
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
