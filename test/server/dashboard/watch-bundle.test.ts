import { expect, test } from 'vitest';
import type { WatchedBundle } from '../../../server/dashboard/watch-bundle.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

test('with a watched bundle, open pages hear of each build, and the page is of the last one', async () => {
  const listeners = new Set<() => void>();
  let main: string | null = null;
  const watched: WatchedBundle = {
    ready: () => {
      if (main === null) return null;
      const app = { main, preloads: [], styles: [] };
      return { ...app, entry: app, scheme: 'scheme.js', files: new Map() };
    },
    listen(onBuilt) {
      listeners.add(onBuilt);
      return () => void listeners.delete(onBuilt);
    },
    stop: async () => {},
  };
  const build = (name: string) => {
    main = name;
    for (const onBuilt of [...listeners]) onBuilt();
  };
  const { app } = await openTestServer({ app: { dashboard: { watched } } });
  expect((await app.inject('/dashboard')).statusCode).toBe(503);
  build('main-1.js');
  const page = await app.inject('/dashboard');
  expect(page.body).toContain('/dashboard/assets/main-1.js');
  expect(page.body).toContain('/dashboard/assets/watch.js');

  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const response = await fetch(`${address}/dashboard/builds`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader?.read())?.value;
  expect(await next()).toBe('data: {"main":"main-1.js"}\n\n');
  build('main-2.js');
  expect(await next()).toBe('data: {"main":"main-2.js"}\n\n');
  expect((await app.inject('/dashboard')).body).toContain('main-2.js');
  await reader?.cancel();
});
