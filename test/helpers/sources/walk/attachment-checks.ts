import { expect } from 'vitest';
import type { ListedItem, ReadResult, SkippedItem } from '../../../../core/sources/source-reader.ts';
import type { Check } from './checks.ts';
import type { ToolWorld, WalkFile } from './tool-world.ts';

const guide: WalkFile = {
  name: 'guide.md',
  type: 'text/markdown',
  bytes: Buffer.from('# Guide\n\nPress the red button.'),
};
const picture: WalkFile = { name: 'photo.png', type: 'image/png', bytes: Buffer.from('PNG') };
const archive: WalkFile = { name: 'data.zip', type: 'application/zip', bytes: Buffer.from('PK') };

/** Everything that the tool names, in its list and in what its records hold. */
async function named(world: ToolWorld) {
  const { items, leftOut } = await world.bench.list();
  const all: ListedItem[] = [...items];
  const skipped: SkippedItem[] = [...leftOut];
  for (const item of items) {
    const result = await world.bench.open().read({ ...item, validators: null });
    if (result.kind !== 'content') continue;
    all.push(...(result.parts ?? []));
    skipped.push(...(result.partsLeftOut ?? []));
  }
  return { all, skipped, guide: all.find(({ title }) => title?.startsWith('guide') === true) };
}

const hasFiles = (world: ToolWorld) => world.attach !== undefined;

/** Attachments are items of their own, and never more open than their records. */
export function attachmentChecks(
  fill: (world: ToolWorld, count?: number) => readonly string[],
  textIn: (result: ReadResult) => string,
): readonly Check[] {
  return [
    {
      name: 'a file of a record becomes an item of its own, with its name and its bytes',
      isFor: hasFiles,
      async run(tool, wrap) {
        const world = tool.open(wrap);
        fill(world, 3);
        for (const file of [guide, picture, archive]) world.attach?.(1, file);
        const { all, skipped, guide: item } = await named(world);
        expect(all.filter(({ title }) => title?.startsWith('guide') === true)).toHaveLength(1);
        const result = await world.bench.open().read({ key: '', ...item, validators: null });
        expect(result).toMatchObject({ kind: 'content', fileName: 'guide.md' });
        expect(textIn(result)).toBe('# Guide\n\nPress the red button.');
        expect(all.some(({ title }) => title?.startsWith('photo') === true)).toBe(false);
        expect(skipped.map(({ code }) => code)).toContain('unknown_format');
      },
    },
    {
      name: 'a file that is taken away is not named any more, and gone for a reader',
      isFor: (world) => world.detach !== undefined,
      async run(tool, wrap) {
        const world = tool.open(wrap);
        fill(world, 3);
        world.attach?.(1, guide);
        const { guide: item } = await named(world);
        expect(item).toBeDefined();
        world.detach?.(1, 'guide.md');
        expect((await named(world)).guide).toBeUndefined();
        expect(await world.bench.open().read({ key: '', ...item, validators: null })).toEqual({
          kind: 'gone',
        });
      },
    },
    {
      name: 'a file of a hidden record is not given',
      isFor: (world) => hasFiles(world) && world.hide !== undefined,
      async run(tool, wrap) {
        for (const code of Object.keys(tool.open(wrap).hide ?? {})) {
          const world = tool.open(wrap);
          fill(world, 3);
          world.attach?.(1, guide);
          const { guide: item } = await named(world);
          expect(item).toBeDefined();
          world.hide?.[code]?.(1);
          const result = await world.bench.open().read({ key: '', ...item, validators: null });
          expect(result).toMatchObject({ kind: 'skipped' });
          expect((await named(world)).guide).toBeUndefined();
        }
      },
    },
    {
      name: 'the token goes to the addresses of the tool only, also for files',
      async run(tool, wrap) {
        const world = tool.open(wrap);
        fill(world, 3);
        world.attach?.(1, guide);
        const { guide: item } = await named(world);
        if (item !== undefined) await world.bench.open().read({ ...item, validators: null });
        expect(world.bench.calls.length).toBeGreaterThan(0);
        const leaks = world.bench.calls.filter(
          ({ url, headers }) =>
            !world.origins.includes(url.origin) &&
            [...headers.values()].some((one) => one.includes(world.secret)),
        );
        expect(leaks).toEqual([]);
        const away = world.bench.calls.filter(({ headers }) =>
          [...headers.values()].some((one) => one.includes(world.secret)),
        );
        expect(away.length).toBeGreaterThan(0);
      },
    },
  ];
}
