import { z } from 'zod';

const percent = z.number().min(0).max(100);
const floorSchema = z.object({ lines: percent, branches: percent });

/** Folders of tests, and the least percentage of each area that they run. */
export const floorsFileSchema = z.object({
  tests: z.array(z.string()).min(1),
  floors: z.record(z.string(), floorSchema),
});

export type Floors = z.output<typeof floorsFileSchema>['floors'];

const countSchema = z.object({ total: z.number(), covered: z.number() });

/** The format of vitest's `json-summary`: each file by its path. */
export const summarySchema = z.record(z.string(), z.object({ lines: countSchema, branches: countSchema }));

/** Adds up the files of each area. The percentages have one decimal and are rounded down. */
export function measureAreas(
  summary: z.output<typeof summarySchema>,
  { root, areas }: { readonly root: string; readonly areas: readonly string[] },
): Floors {
  const measured = areas.map((area) => {
    const files = Object.entries(summary).flatMap(([file, counts]) =>
      file.startsWith(`${root}/${area}/`) ? [counts] : [],
    );
    const share = (kind: keyof Floors[string]) => {
      const sum = (part: 'total' | 'covered') => files.reduce((all, counts) => all + counts[kind][part], 0);
      return sum('total') === 0 ? 0 : Math.floor((sum('covered') / sum('total')) * 1_000) / 10;
    };
    return [area, { lines: share('lines'), branches: share('branches') }] as const;
  });
  return Object.fromEntries(measured);
}

/** Tests that race cover a line more or less. */
const slackPercent = 0.5;

/** Returns a line for each floor that is not reached. */
export function findFalls(measured: Floors, floors: Floors): readonly string[] {
  return Object.entries(floors).flatMap(([area, floor]) =>
    (['lines', 'branches'] as const).flatMap((kind) => {
      const now = measured[area]?.[kind] ?? 0;
      return now + slackPercent < floor[kind]
        ? [`${area}: ${now} % of ${kind}, the floor is ${floor[kind]} %`]
        : [];
    }),
  );
}

/** Returns the floors with what was measured above them. None falls. */
export function raiseFloors(measured: Floors, floors: Floors): Floors {
  const raised = Object.entries(floors).map(([area, { lines, branches }]) => {
    const now = measured[area];
    return [
      area,
      { lines: Math.max(lines, now?.lines ?? 0), branches: Math.max(branches, now?.branches ?? 0) },
    ] as const;
  });
  return Object.fromEntries(raised);
}
