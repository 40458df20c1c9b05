import { expect } from 'vitest';
import type { KnownItem, ListedItem, ReadResult } from '../../../../core/sources/source-reader.ts';
import { attachmentChecks } from './attachment-checks.ts';
import type { ToolWorld, WalkedTool, WrapKind } from './tool-world.ts';

/** A guarantee that every tool gives. It fails by throwing. */
export interface Check {
  readonly name: string;
  /** Absent: for every tool. */
  readonly isFor?: (world: ToolWorld) => boolean;
  run(tool: WalkedTool, wrap: WrapKind): Promise<void>;
}

function fill(world: ToolWorld, count = 5): readonly string[] {
  return Array.from({ length: count }, (_, index) => world.put(index + 1, `Text of record ${index + 1}.`));
}

/** Reads a record and everything that belongs to it. */
export async function readWhole(world: ToolWorld, key: string) {
  const texts: string[] = [];
  const seen = new Set<string>();
  const waiting: ListedItem[] = [
    (await world.bench.list()).items.find((item) => item.key === key) ?? { key },
  ];
  for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
    if (seen.has(item.key)) continue;
    seen.add(item.key);
    const result = await world.bench.open().read({ ...item, validators: null });
    if (result.kind !== 'content') throw new TypeError(`${item.key} is ${JSON.stringify(result)}`);
    texts.push(Buffer.from(result.bytes).toString('utf8'));
    waiting.push(...(result.parts ?? []));
  }
  return { text: texts.join('\n'), documents: texts.length };
}

const known = (item: ListedItem): KnownItem => ({ ...item, validators: null });

export const checks: readonly Check[] = [
  {
    name: 'every record is listed once, over several pages, and read with its text and title',
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const keys = fill(world);
      const list = await world.bench.list();
      expect(list.keys).toEqual([...keys, ...(world.others ?? [])].sort());
      if (world.isOnePage !== true) expect(list.pages).toBeGreaterThan(1);
      for (const [index, key] of keys.entries()) {
        const item = list.items.find((one) => one.key === key) ?? { key };
        const result = await world.bench.open().read(known(item));
        expect(result.kind).toBe('content');
        expect(textIn(result)).toContain(`Text of record ${index + 1}.`);
      }
    },
  },
  {
    name: 'only a changed record is read again, and nothing new costs no more than the list',
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const keys = fill(world);
      await world.bench.run();
      const changed = world.put(2, 'Another text of record 2.');
      const outcomes = await world.bench.run();
      expect(outcomes).toEqual({
        ...Object.fromEntries(
          [...keys, ...(world.others ?? [])].map((key) => [key, key === keys[1] ? 'missing' : 'same']),
        ),
        [changed]: 'content',
      });
      const { pages } = await world.bench.list();
      world.bench.calls.length = 0;
      expect(Object.values(await world.bench.run())).not.toContain('content');
      // A token, or the place itself, may be asked for with each page.
      expect(world.bench.calls.length).toBeLessThanOrEqual(2 * pages + 2);
    },
  },
  {
    name: 'a deleted record is missing from the list, and gone for a reader',
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const keys = fill(world);
      const { items } = await world.bench.list();
      const item = items.find(({ key }) => key === keys[1]) ?? { key: '' };
      world.remove(2);
      expect((await world.bench.list()).keys).toEqual(
        [...keys.filter((key) => key !== item.key), ...(world.others ?? [])].sort(),
      );
      expect(await world.bench.open().read(known(item))).toEqual({ kind: 'gone' });
    },
  },
  {
    name: 'a record that moves keeps its key, and is read again',
    isFor: (world) => world.move !== undefined,
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const keys = fill(world);
      await world.bench.run();
      world.move?.(2);
      expect(await world.bench.run()).toEqual(
        Object.fromEntries(keys.map((key) => [key, key === keys[1] ? 'content' : 'same'])),
      );
    },
  },
  {
    name: 'a record that may not be opened fails alone',
    isFor: (world) => world.forbid !== undefined,
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const keys = fill(world);
      world.forbid?.(2);
      expect(await world.bench.run()).toEqual(
        Object.fromEntries(keys.map((key) => [key, key === keys[1] ? 'no_permission' : 'content'])),
      );
    },
  },
  {
    name: 'what is hidden is left out of the list, and skipped by a reader, with the same code',
    isFor: (world) => world.hide !== undefined,
    async run(tool, wrap) {
      for (const code of Object.keys(tool.open(wrap).hide ?? {})) {
        const world = tool.open(wrap);
        const keys = fill(world, 3);
        const { items } = await world.bench.list();
        world.hide?.[code]?.(2);
        const list = await world.bench.list();
        expect(list.leftOut.map((item) => [item.key, item.code])).toEqual([[keys[1], code]]);
        expect(list.leftOut[0]?.reason).toMatch(/\.$/);
        const item = items.find(({ key }) => key === keys[1]) ?? { key: '' };
        expect(await world.bench.open().read(known(item))).toMatchObject({ kind: 'skipped', code });
      }
    },
  },
  {
    name: 'a short limit is waited for, and a long one gives the turn away',
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const [key = ''] = fill(world, 3);
      const { items } = await world.bench.list();
      const item = known(items.find((one) => one.key === key) ?? { key });
      const limit = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });
      const error = { name: 'SourceError', code: 'rate_limited', retryAfterMs: 93_000 };
      world.bench.next.push(limit(3));
      expect((await world.bench.list()).keys).toHaveLength(3 + (world.others ?? []).length);
      expect(world.bench.waits).toEqual([3_000]);
      world.bench.next.push(limit(93));
      await expect(world.bench.list()).rejects.toMatchObject(error);
      world.bench.next.push(limit(93));
      await expect(world.bench.open().read(item)).rejects.toMatchObject(error);
    },
  },
  {
    name: 'a tool that is down keeps the run for later',
    async run(tool, wrap) {
      const world = tool.open(wrap);
      fill(world, 3);
      world.bench.next.push(...Array.from({ length: 4 }, () => ({ status: 502, bytes: 'Bad gateway' })));
      await expect(world.bench.list()).rejects.toMatchObject({ code: 'tool_down', retryAfterMs: 300_000 });
    },
  },
  {
    name: 'a wrong token fails the run for good, in the words of the tool',
    async run(tool, wrap) {
      const world = tool.open(wrap, 'wrong');
      const refused = expect(world.bench.list()).rejects;
      await refused.toMatchObject({ name: 'SourceError', code: 'source_refused', retryAfterMs: undefined });
    },
  },
  {
    name: 'an answer in another form fails the run',
    async run(tool, wrap) {
      const world = tool.open(wrap);
      fill(world, 3);
      world.bench.next.push({ bytes: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } });
      await expect(world.bench.list()).rejects.toMatchObject({
        name: 'SourceError',
        code: 'unexpected_answer',
      });
    },
  },
  {
    name: 'no key leads a request to another resource',
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const keys = fill(world, 3);
      await world.bench.run();
      const roots = new Set(world.bench.calls.map(rootOf));
      world.bench.calls.length = 0;
      const prefix = keys[0]?.includes(':') === true ? `${keys[0].split(':')[0]}:` : '';
      for (const id of ['..', '.', '../users', '../../admin', 'a/../../b']) {
        const reading = world.bench.open().read({ key: prefix + id, version: id, validators: null });
        const outcome = await reading.catch((error: Error) => error);
        expect('kind' in outcome ? outcome.kind : outcome.name).not.toBe('content');
      }
      for (const call of world.bench.calls) expect(roots).toContain(rootOf(call));
    },
  },
  {
    name: 'everything inside a record that is larger than the answers of the API is read',
    isFor: (world) => world.nest !== undefined,
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const [key = ''] = fill(world, 2);
      const texts = world.nest?.(1) ?? [];
      expect(texts.length).toBeGreaterThan(0);
      const { text } = await readWhole(world, key);
      expect(texts.filter((one) => text.split(one).length !== 2)).toEqual([]);
    },
  },
  {
    name: 'every kind of field is read',
    isFor: (world) => world.describe !== undefined,
    async run(tool, wrap) {
      const world = tool.open(wrap);
      const [key = ''] = fill(world, 2);
      const texts = world.describe?.(1) ?? [];
      expect(texts.length).toBeGreaterThan(0);
      const { text } = await readWhole(world, key);
      // Markdown escapes some characters.
      expect(texts.filter((one) => !text.replaceAll('\\', '').includes(one))).toEqual([]);
    },
  },
  ...attachmentChecks(fill, textIn),
];

function rootOf({ url }: { readonly url: URL }): string {
  return url.origin + url.pathname.split('/').slice(0, 2).join('/');
}

function textIn(result: ReadResult): string {
  return result.kind === 'content' ? Buffer.from(result.bytes).toString('utf8') : '';
}
