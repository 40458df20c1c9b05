import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  findFalls,
  floorsFileSchema,
  measureAreas,
  raiseFloors,
} from '../helpers/coverage/compare-floors.ts';

const root = resolve(import.meta.dirname, '../..');
const all = (covered: number, total: number) => ({ lines: { covered, total }, branches: { covered, total } });

test('an area is the sum of its files, and no other area counts', () => {
  const summary = {
    total: all(9, 9),
    '/p/core/base/async.ts': all(1, 2),
    '/p/core/base/deep/clock.ts': all(1, 1),
    '/p/core/basement/x.ts': all(0, 50),
  };
  expect(measureAreas(summary, { root: '/p', areas: ['core/base', 'core/none'] })).toEqual({
    'core/base': { lines: 66.6, branches: 66.6 },
    'core/none': { lines: 0, branches: 0 },
  });
});

test('a fall is told, and no floor ever falls', () => {
  const floors = { 'core/base': { lines: 80, branches: 50 }, 'core/gone': { lines: 1, branches: 0 } };
  const measured = { 'core/base': { lines: 90.5, branches: 49 } };
  expect(findFalls(measured, floors)).toEqual([
    'core/base: 49 % of branches, the floor is 50 %',
    'core/gone: 0 % of lines, the floor is 1 %',
  ]);
  expect(raiseFloors(measured, floors)).toEqual({
    'core/base': { lines: 90.5, branches: 50 },
    'core/gone': { lines: 1, branches: 0 },
  });
  expect(
    findFalls({ 'core/base': { lines: 79.6, branches: 50 } }, { 'core/base': floors['core/base'] }),
  ).toEqual([]);
});

test('floors name areas and tests that are there', () => {
  const file = readFileSync(resolve(root, 'test/helpers/coverage/floors.json'), 'utf8');
  const { tests, floors } = floorsFileSchema.parse(JSON.parse(file));
  for (const path of [...tests, ...Object.keys(floors)])
    expect(existsSync(resolve(root, path)), path).toBe(true);
});
