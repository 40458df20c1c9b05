import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { describeSettings } from '../../../server/admin/settings/setting-descriptions.ts';
import { german } from '../../../server/dashboard/browser/texts/german.ts';

const page = resolve(import.meta.dirname, '../../../server/docs/pages/configuration.md');
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'));

test.each(Object.entries(describeSettings({ plan: 'growth' }).properties))(
  'the setting %s has a row in the documentation, and no text that is still to be written',
  (name, english) => {
    const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``));
    expect(row).toBeDefined();
    expect(JSON.stringify([row, english, german.fields[name]])).not.toContain('Fill in');
  },
);
