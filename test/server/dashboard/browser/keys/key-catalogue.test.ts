import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../../../../server/dashboard/browser/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');

/** The ids in a source, with the keys that follow them in the same action. */
function actionsIn(source: string): readonly (readonly [id: string, keys: string])[] {
  return source
    .split(/\bid: '/)
    .slice(1)
    .flatMap((action) => {
      const [own = ''] = action.split('run', 1);
      const keys = own.split("keys: '")[1]?.split("'", 1)[0];
      return keys === undefined ? [] : [[action.split("'", 1)[0] ?? '', keys] as const];
    });
}

test('every key that a screen offers can be changed in the profile, under the same id', () => {
  const offered = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['api/**', 'keys/**', 'texts/**'] })
    .map(read)
    .filter((source) => source.includes('useKeyActions'))
    .flatMap(actionsIn)
    // Escape leaves a screen or ends a selection everywhere, and is not changed.
    .filter(([, keys]) => keys !== 'Escape');
  expect(offered.length).toBeGreaterThan(15);
  const listed = new Map(actionsIn(read('keys/catalogue.ts')));
  expect(offered.filter(([id, keys]) => listed.get(id) !== keys)).toEqual([]);
});
