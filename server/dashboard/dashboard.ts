import { createHash, randomBytes } from 'node:crypto';
import { extname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { loadOnce, runInBackground } from '../../core/base/async.ts';
import { AppError } from '../../core/base/errors.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { foreverCaching } from '../pages/assets.ts';
import { element, renderDocument } from '../pages/html.ts';

import { sendCompressed } from '../plugins/compression.ts';
import type { TypedApp } from '../typed-app.ts';
import { assetPath } from './bundle.ts';
import { type BundleSources, loadBundle, type ReadyBundle } from './bundle-cache.ts';
import { firstPaint, firstStyle, frameStyle, icon } from './first-paint.ts';
import { type WatchedBundle, watchRoutes, watchScript } from './watch-bundle.ts';

/** The part of the runtime that the page needs. */
interface DashboardDependencies extends Pick<Runtime, 'log'> {
  readonly config: Pick<Runtime['config'], 'DATA_DIR'>;
}

export interface DashboardOptions {
  /** Replaces the bundler. */
  readonly sources?: BundleSources;
  /** Replaces the folder of `npm run bundle`. */
  readonly shipped?: string;
  /** Builds the browser app then at the latest: before, it would slow the start down. A page that is asked for earlier begins it. */
  readonly buildAfter?: Promise<void>;
  /** Receives the name of the main script, which changes with each build. */
  readonly onBuilt?: (name: string) => void;
  /** Replaces the bundle while somebody works on the browser app. */
  readonly watched?: WatchedBundle;
}

const hiddenSchema = { hide: true };
const assetParams = z.object({ name: z.string() });
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Every address of the browser app leads to the one page. `begin`, `recover` and `forgot` are named, because another method of them is
 * a call of the sign-in API.
 */
const pagePaths = [
  '/dashboard',
  '/dashboard/begin',
  '/dashboard/recover',
  '/dashboard/forgot',
  '/dashboard/*',
];

/** The one page with a frame: it shows the widget beside its settings. */
const framePath = '/dashboard/w/:workspace/channels/:channel/studio';

/** Registers the page of the dashboard and its assets. `/` leads there. */
export function dashboardRoutes(
  app: TypedApp,
  { config, log }: DashboardDependencies,
  { buildAfter, onBuilt, watched, ...bundle }: DashboardOptions = {},
): void {
  const folder = join(config.DATA_DIR, 'cache');
  const load = loadOnce(() => loadBundle({ folder, log, ...bundle }));
  let built: ReadyBundle | null = null;
  const ready = () => watched?.ready() ?? built;
  const onError = (err: unknown) => log.error({ err }, 'dashboard bundle failed');
  const build = () =>
    runInBackground(
      load().then((bundle) => {
        built = bundle;
        onBuilt?.(bundle.main);
      }),
      onError,
    );
  if (watched !== undefined) watchRoutes(app, watched);
  else if (buildAfter !== undefined) runInBackground(buildAfter.then(build), onError);

  app.get('/', { schema: hiddenSchema }, async (_request, reply) => reply.redirect('/dashboard', 302));
  for (const path of [...pagePaths, framePath]) {
    app.get(path, { schema: hiddenSchema }, async (request, reply) => {
      const bundle = ready();
      const options = {
        hasFrames: path === framePath,
        isWatched: watched !== undefined,
        isEntry: entryPage.test(request.url),
      };
      if (bundle !== null) return sendPage(reply, bundle, options);
      if (watched === undefined) build();
      return sendStartingPage(reply);
    });
  }
  app.get(reloadPath, { schema: hiddenSchema }, async (_request, reply) =>
    reply
      .headers({ 'content-type': contentTypes['.js'], 'x-content-type-options': 'nosniff' })
      .send(reloadScript),
  );
  app.get(
    `${assetPath}:name`,
    { schema: { ...hiddenSchema, params: assetParams } },
    async (request, reply) => {
      const { name } = request.params;
      const body = (watched?.ready() ?? (await load())).files.get(name);
      if (body === undefined) throw new AppError('route_not_found');
      reply.headers({
        'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
        'cache-control': foreverCaching,
        'x-content-type-options': 'nosniff',
      });
      // Fonts are compressed already.
      if (name.endsWith('.woff2')) return reply.send(body.plain);
      return sendCompressed(request, reply, body);
    },
  );
}

/** Pages without a person. */
const entryPage = /^\/dashboard\/(?:sign-in|begin|invite|forgot|recover)\b/;

interface PageOptions {
  readonly hasFrames: boolean;
  /** Whether the page loads itself again after a build. */
  readonly isWatched: boolean;
  /** Whether nobody is signed in on the page. */
  readonly isEntry: boolean;
}

function sendPage(
  reply: FastifyReply,
  { scheme, files, entry, ...whole }: ReadyBundle,
  { hasFrames, isWatched, isEntry }: PageOptions,
): FastifyReply {
  const { main, preloads, styles } = isEntry ? entry : whole;
  const nonce = randomBytes(16).toString('base64');
  // A request of its own would delay the first paint.
  const schemeScript = files.get(scheme)?.plain.toString('utf8') ?? '';
  const { html } = renderDocument({
    title: 'Parley',
    language: 'en',
    direction: 'ltr',
    style: frameStyle,
    nonce,
    head: [
      element('meta', { property: 'csp-nonce', nonce }, []),
      element('meta', { name: 'robots', content: 'noindex' }, []),
      ...(hasFrames ? [element('meta', { name: 'frames', content: 'self' }, [])] : []),
      element('link', { rel: 'icon', type: 'image/svg+xml', href: icon }, []),
      element('script', {}, [schemeScript]),
      ...preloads.map((name) => element('link', { rel: 'modulepreload', href: assetPath + name }, [])),
      element('script', { type: 'module', src: assetPath + main }, []),
      ...(isWatched ? [element('script', { src: watchScript }, [])] : []),
    ],
    body: [
      firstPaint(isEntry),
      // They stand behind the first paint, which would wait for them. Modules run when they have loaded.
      ...styles.map((name) => element('link', { rel: 'stylesheet', href: assetPath + name }, [])),
      element('noscript', {}, ['The dashboard needs JavaScript. Switch it on and load the page again.']),
    ],
  });
  const policy = { hasFrames, script: schemeScript };
  return reply.headers(pageHeaders(nonce, policy)).type('text/html; charset=utf-8').send(html);
}

const startingStyle = `${firstStyle}body{font:1rem/1.5 system-ui,sans-serif;margin:30vh 1.5rem 0;text-align:center}`;

/** The browser loads the page again each second until the browser app is built. */
const reloadPath = `${assetPath}reload.js`;
/** Browsers take a refresh of an address with a fragment, such as the link of the first owner, as a jump within the page. */
const reloadScript = 'setTimeout(() => location.reload(), 1000);';

function sendStartingPage(reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const { html } = renderDocument({
    title: 'Starting',
    language: 'en',
    direction: 'ltr',
    style: startingStyle,
    nonce,
    head: [
      element('meta', { 'http-equiv': 'refresh', content: '1' }, []),
      element('script', { src: reloadPath }, []),
    ],
    body: [
      element('main', {}, [
        element('h1', {}, ['Starting']),
        element('p', {}, ['The dashboard is being prepared. It opens by itself in a few seconds.']),
      ]),
    ],
  });
  return reply
    .code(503)
    .headers({ ...pageHeaders(nonce), 'retry-after': '1' })
    .type('text/html; charset=utf-8')
    .send(html);
}

interface PagePolicy {
  readonly hasFrames?: boolean;
  /** The one script inside the page; empty for none. */
  readonly script?: string;
}

function pageHeaders(
  nonce: string,
  { hasFrames = false, script = '' }: PagePolicy = {},
): Record<string, string> {
  const hash = createHash('sha256').update(script).digest('base64');
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self'${script === '' ? '' : ` 'sha256-${hash}'`}`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      ...(hasFrames ? ["frame-src 'self'"] : []),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
