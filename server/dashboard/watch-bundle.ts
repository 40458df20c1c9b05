import { watch } from 'chokidar';
import { runInBackground, whenSettled } from '../../core/base/async.ts';
import type { Logger } from '../../core/base/log.ts';
import { EventStream } from '../event-stream.ts';
import { type CompressedBody, compressBody } from '../plugins/compression.ts';
import type { TypedApp } from '../typed-app.ts';
import { assetPath, browserAppOptions, entryAppOptions, sourceFolder, toBundle } from './bundle.ts';
import type { ReadyBundle } from './bundle-cache.ts';

/** The browser app while somebody works on it. */
export interface WatchedBundle {
  /** The last build; null before the first one. A build with errors changes nothing. */
  ready(): ReadyBundle | null;
  /** Calls `onBuilt` after each build until the returned function is called. */
  listen(onBuilt: () => void): () => void;
  stop(): Promise<void>;
}

/** The script that loads the page again after a build. */
export const watchScript = `${assetPath}watch.js`;
const buildsPath = '/dashboard/builds';
const script = `let built;
new EventSource('${buildsPath}').onmessage = ({ data }) => {
  const { main } = JSON.parse(data);
  if (built !== undefined && main !== undefined && built !== main) location.reload();
  built = main ?? built;
};`;

/** Builds the browser app again whenever one of its files changes, for `npm run dev`. */
export async function watchBundle(log: Pick<Logger, 'info' | 'error'>): Promise<WatchedBundle> {
  const { context } = await import('esbuild');
  const listeners = new Set<() => void>();
  const bodies = new Map<string, CompressedBody>();
  let ready: ReadyBundle | null = null;
  const main = await context({ ...browserAppOptions, minify: false });
  const entry = await context({ ...entryAppOptions, minify: false });
  const buildAgain = async (): Promise<void> => {
    const { files, ...names } = toBundle({ main: await main.rebuild(), entry: await entry.rebuild() });
    // Names have a hash of the content: what did not change is compressed already.
    for (const { name, bytes } of files)
      if (!bodies.has(name)) bodies.set(name, await compressBody(bytes, { brotliQuality: 0 }));
    ready = { ...names, files: bodies };
    log.info({ main: names.main }, 'dashboard built');
    for (const onBuilt of [...listeners]) onBuilt();
  };
  const build = () => runInBackground(buildAgain(), (err) => log.error({ err }, 'dashboard build failed'));
  // The bundler's own watch looks for changes every two seconds.
  const watcher = watch(sourceFolder, { ignoreInitial: true }).on('all', build);
  build();
  return {
    ready: () => ready,
    listen(onBuilt) {
      listeners.add(onBuilt);
      return () => void listeners.delete(onBuilt);
    },
    async stop() {
      await watcher.close();
      await main.dispose();
      await entry.dispose();
    },
  };
}

/** Registers the script that loads the page again, and the stream that tells it when. */
export function watchRoutes(app: TypedApp, watched: WatchedBundle): void {
  app.get(watchScript, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-store').send(script),
  );
  app.get(buildsPath, { schema: { hide: true } }, async (_request, reply) => {
    const stream = new EventStream(reply, { keepAliveMs: 15_000 });
    stream.open();
    const sendBuild = () =>
      whenSettled(Promise.resolve(stream.send({ main: watched.ready()?.main })), () => {});
    sendBuild();
    reply.raw.once('close', watched.listen(sendBuild));
    return reply;
  });
  app.addHook('onClose', () => watched.stop());
}
