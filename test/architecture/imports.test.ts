import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readImportedFiles, readImports, sourceFiles } from '../helpers/code/source-files.ts';

const root = resolve(import.meta.dirname, '../..');
const rooms = ['core', 'connectors', 'server', 'workers'] as const;
type Room = (typeof rooms)[number];

/** Which rooms a room may import from, besides itself. */
const allowed: Record<Room, readonly Room[]> = {
  core: [],
  connectors: ['core'],
  server: ['core', 'connectors'],
  workers: ['core', 'connectors'],
};

/** The roots of processes: they alone import from every room, and hand to each what it may not import. */
const roots = ['main.ts', 'server/cli/main.ts'];

/** Packages with one place each: the files that may import them. */
const homes: readonly (readonly [RegExp, RegExp])[] = [
  [/^(fastify|@fastify\/.*|fastify-.*)$/, /^server\//],
  [/^(bullmq|ioredis)$/, /^core\/queue\//],
  [/^(pg|@electric-sql\/.*)$/, /^core\/storage\//],
  [/^prom-client$/, /^core\/(metrics\/|health\/gauges\.ts)/],
  [/^@opentelemetry\//, /^core\/tracing\/open-telemetry\.ts$/],
  [/^node:sqlite$/, /^core\/storage\/embedded\//],
  [/^(onnxruntime-node|@lat\.md\/.*)$/, /^core\/knowledge\/(?:embedding|passage-reader)\//],
  [/^(commander|@commander-js\/.*)$/, /^server\/cli\//],
  [/^ajv/, /^core\/answering\/skills\/http\//],
  [/^@langchain\//, /^core\/models\//],
  [/^telegraf/, /^connectors\/telegram\//],
  [/^imapflow$/, /^connectors\/email\//],
  [
    /^postal-mime$/,
    /^(connectors\/email\/|core\/knowledge\/loaders\/load-eml\.ts|core\/tickets\/formats\/mail-thread\.ts)/,
  ],
  [/^numfmt$/, /^core\/knowledge\/loaders\/office\//],
  [/^saxes$/, /^(core\/(knowledge\/loaders\/office|sources\/(tools|website))|connectors\/email\/setup)\//],
  [/^nodemailer$/, /^(connectors\/email\/|core\/channels\/mailer\.ts)/],
  [/^openid-client$/, /^core\/members\//],
  [/^discord\.js$/, /^connectors\/discord\//],
  [/^twilio/, /^connectors\/twilio\//],
  [/^intercom-client/, /^connectors\/intercom\//],
  [
    /^(react|react-dom|@mantine\/.*|@tanstack\/.*|lucide-react|@fontsource-variable\/.*)(\/|$)/,
    /^server\/(dashboard\/browser|docs\/examples\/widget-react|client)\//,
  ],
  [/^(better-auth|@better-auth\/.*)(\/|$)/, /^(core\/members|server\/dashboard)\//],
];

/** A connector that is no part of the product. Its copies are held to the rules. */
const example = 'server/docs/examples/channel-echo/';
const files = sourceFiles(root).filter(
  (file) => rooms.some((room) => file.startsWith(`${room}/`)) && !file.startsWith(example),
);
const imports = files
  .filter((file) => !roots.includes(file))
  .flatMap((file) => readImports(root, file).map((specifier) => ({ file, specifier })));

describe('the arrows of the design', () => {
  test('a room imports only the rooms that it may know', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      const from = roomOf(file);
      const to = specifier.startsWith('.')
        ? roomOf(relative(root, resolve(root, dirname(file), specifier)))
        : null;
      return from !== null && to !== null && from !== to && !allowed[from].includes(to);
    });
    expect(wrong).toEqual([]);
  });

  test('a connector imports core/contract and connectors/shared, and no other connector', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      const own = /^connectors\/(?!shared\/)([^/]+)\//.exec(file)?.[1];
      if (own === undefined || !specifier.startsWith('.')) return false;
      const target = relative(root, resolve(root, dirname(file), specifier));
      return (
        !/^(core\/contract|connectors\/shared)\//.test(target) && !target.startsWith(`connectors/${own}/`)
      );
    });
    expect(wrong).toEqual([]);
  });

  test('servers and workers reach connectors through the registry only', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      const target = relative(root, resolve(root, dirname(file), specifier));
      return (
        /^(server|workers)\//.test(file) &&
        target.startsWith('connectors/') &&
        target !== 'connectors/registry.ts'
      );
    });
    expect(wrong).toEqual([]);
  });

  test('core/contract imports nothing of ours', () => {
    const wrong = imports.filter(
      ({ file, specifier }) => file.startsWith('core/contract/') && specifier.startsWith('..'),
    );
    expect(wrong).toEqual([]);
  });

  test('a package with a home is imported nowhere else', () => {
    const wrong = imports.filter(({ file, specifier }) =>
      homes.some(([name, home]) => name.test(specifier) && !home.test(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('the browser app of the dashboard imports no server code', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      if (!file.startsWith('server/dashboard/browser/') || !specifier.startsWith('.')) return false;
      const target = relative(root, resolve(root, dirname(file), specifier));
      return !target.startsWith('server/dashboard/browser/');
    });
    expect(wrong).toEqual([]);
  });

  test('no part of the dashboard takes a symbol past icons.ts', () => {
    const takers = imports.filter(({ specifier }) => specifier.startsWith('lucide-react'));
    expect(takers.filter(({ file }) => file !== 'server/dashboard/browser/icons.ts')).toEqual([]);
  });

  // With two versions of the core there are two contexts: components do not see their provider.
  test('all packages of Mantine have one version', () => {
    const names = readdirSync(join(root, 'node_modules/@mantine'));
    const versions = names.map((name) => {
      const text = readFileSync(join(root, 'node_modules/@mantine', name, 'package.json'), 'utf8');
      return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
    });
    expect(names).toContain('core');
    expect([...new Set(versions)]).toHaveLength(1);
  });

  test('no files import each other in a circle, types included', () => {
    const targets = new Map(files.map((file) => [file, readImportedFiles(root, file)]));
    expect(findCircle(targets)).toEqual([]);
  });

  test('the environment is read at the roots of processes only', () => {
    const readers = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'));
    expect(readers.filter((file) => !/(^|\/)main\.ts$|^server\/docs\/examples\//.test(file))).toEqual([]);
  });
});

/** The first circle of a graph, as the files in its order; empty if there is none. */
function findCircle(targets: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const target of targets.get(file) ?? []) {
      const circle = visit(target, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of targets.keys()) {
    const circle = visit(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

function roomOf(file: string): Room | null {
  return rooms.find((room) => file.startsWith(`${room}/`)) ?? null;
}
