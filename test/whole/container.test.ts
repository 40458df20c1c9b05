import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { freePort } from '../helpers/servers/network/free-port.ts';
import { runProduct } from '../helpers/servers/processes/run-product.ts';

const root = resolve(import.meta.dirname, '../..');
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');

const serviceSchema = z.looseObject({
  image: z.string().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])),
  ports: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  command: z.array(z.string()),
});
const compose = z
  .object({ services: z.record(z.string(), serviceSchema) })
  .parse(parse(textOf('compose.yaml'), { merge: true }));
const { services } = compose;
/** Removes comments and joins continued lines. */
const dockerfile = textOf('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', '');

describe('compose.yaml', () => {
  test.each(['server', 'workers'])(
    'runs %s on a read-only file system and without any capability',
    (name) => {
      expect(services[name]).toMatchObject({
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        cap_add: [],
      });
    },
  );

  test('gives no container more privileges than at its start, nor capabilities that it does not need', () => {
    expect(Object.keys(services)).toEqual(['server', 'workers', 'postgres', 'redis']);
    const needed = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'];
    for (const { cap_drop, cap_add, security_opt } of Object.values(services)) {
      expect(security_opt).toEqual(['no-new-privileges:true']);
      expect(cap_drop).toEqual(['ALL']);
      expect(cap_add.filter((one) => !needed.includes(one))).toEqual([]);
    }
  });

  test('publishes only the server, and only to this machine', () => {
    const published = Object.entries(services).flatMap(([name, { ports }]) =>
      ports.map((port) => [name, port]),
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: compose fills it in.
    expect(published).toEqual([['server', '127.0.0.1:${PORT:-8080}:8080']]);
  });

  test('requires a Redis password in its server, its health check and every client', () => {
    const { redis, server, workers } = services;
    const asked = ':?set it in .env}';
    expect(redis?.command.at(-1)).toBe(`\${REDIS_PASSWORD${asked}`);
    expect(redis?.command.at(-2)).toBe('--requirepass');
    expect(redis?.environment.REDISCLI_AUTH).toBe(`\${REDIS_PASSWORD${asked}`);
    for (const client of [server, workers])
      expect(client?.environment.REDIS_URL).toBe(`redis://:\${REDIS_PASSWORD${asked}@redis`);
  });

  test('checks the health of every container, that of workers by their metrics port', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .*METRICS_PORT/m);
    expect(services.workers?.environment.METRICS_PORT).toBe(9090);
    for (const name of ['postgres', 'redis']) expect(services[name]?.healthcheck?.test).toBeDefined();
  });
});

describe('the image', () => {
  test('has a pinned base image, runs as an unprivileged user and writes only below /data', () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:\S+$/m);
    expect(dockerfile).toMatch(/^FROM \$\{NODE_IMAGE\}$/m);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^ENV NODE_COMPILE_CACHE=\/data\//m);
  });

  const script = /^HEALTHCHECK .*? CMD node -e '([^']+)'$/m.exec(dockerfile)?.[1] ?? '';
  const check = async (environment: Record<string, string>) => {
    const child = spawn(process.execPath, ['-e', script], { env: environment });
    const [code] = await once(child, 'exit');
    return code;
  };

  test('is healthy exactly while its server or its metrics port answers /healthz', async () => {
    expect(script).not.toBe('');
    let status = 200;
    const app = createServer(({ url }, response) => {
      response.writeHead(url === '/healthz' ? status : 404).end();
    });
    await new Promise<void>((listening) => app.listen(0, '127.0.0.1', listening));
    afterAll(() => void app.close());
    const address = app.address();
    const open = String(typeof address === 'object' ? address?.port : address);
    const closed = String(await freePort());
    expect(await check({ PORT: open })).toBe(0);
    expect(await check({ PORT: closed, METRICS_PORT: open })).toBe(0);
    expect(await check({ PORT: open, METRICS_PORT: closed })).toBe(0);
    expect(await check({ PORT: closed })).toBe(1);
    expect(await check({ PORT: closed, METRICS_PORT: closed })).toBe(1);
    status = 503;
    expect(await check({ PORT: open })).toBe(1);
  });
});

const nobody = 65_534;

/** Returns why another user cannot run the product from here, or null if they can. */
function findClosed(): string | null {
  const script = 'process.argv.slice(1).forEach((file) => fs.accessSync(file, fs.constants.R_OK))';
  const files = ['main.ts', 'node_modules/fastify/package.json'].map((file) => join(root, file));
  const { error, status, stderr } = spawnSync(process.execPath, ['--eval', script, ...files], {
    ...{ uid: nobody, gid: nobody, cwd: '/', encoding: 'utf8' },
  });
  if (error === undefined && status === 0) return null;
  return /EACCES[^\n]*/u.exec(error?.message ?? stderr)?.[0] ?? String(error ?? stderr);
}

/** Only root can switch to another user. */
test.skipIf(process.getuid?.() !== 0)(
  'a process that can only write its data folder answers, and stores its compile cache there',
  async ({ skip }) => {
    const closed = findClosed();
    skip(closed !== null, `needs a clone, and a Node, that other users can read: ${closed}`);
    const folder = mkdtempSync(join(tmpdir(), 'parley-unprivileged-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    chownSync(folder, nobody, nobody);
    const product = await runProduct(
      { DATA_DIR: folder, NODE_COMPILE_CACHE: join(folder, 'compile-cache'), TMPDIR: folder },
      { uid: nobody },
    );
    for (const path of ['/healthz', '/docs', '/widget.js', '/openapi.json'])
      expect((await fetch(`${product.address}${path}`)).status, path).toBe(200);
    expect(product.errors()).not.toMatch(/EACCES|EROFS|"level":"(?:error|fatal)"/);
    expect(readdirSync(join(folder, 'compile-cache'))).not.toEqual([]);
    expect(await product.end('SIGTERM')).toBe(0);
  },
  // The demo is indexed first, which takes a minute on a busy machine.
  180_000,
);
