import { describe, expect, test } from 'vitest';
import { checks } from '../../../../helpers/sources/walk/checks.ts';
import { faults } from '../../../../helpers/sources/walk/faults.ts';
import { notion } from '../../../../helpers/sources/walk/notion-world.ts';

describe('the walk of tools finds a planted fault', () => {
  test.each(faults)('$name', async ({ foundBy, wrap }) => {
    const check = checks.find(({ name }) => name === foundBy);
    await expect(check?.run(notion, wrap)).rejects.toThrow();
  });
});
