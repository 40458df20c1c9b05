import { expect, test } from 'vitest';
import { datedChangelog } from '../../helpers/dated-changelog.ts';

const release = { version: '0.3.0', date: '2026-03-01' };
const changelog = `# Changelog

## Unreleased

### Upgrade notes

- Set \`PUBLIC_URL\`.

### Trust

- More.

## 0.2.0, 2026-01-01

### Upgrade notes

- Old.
`;

test('a release dates the changes since the last one, and has their upgrade notes', () => {
  const dated = datedChangelog(changelog, release);
  expect(dated?.upgradeNotes).toBe('- Set `PUBLIC_URL`.');
  expect(dated?.text).toBe(changelog.replace('## Unreleased', '## 0.3.0, 2026-03-01'));
});

test('without unreleased changes, or without upgrade notes, there is nothing to release', () => {
  expect(datedChangelog(changelog.replace('## Unreleased', '## 0.2.1, 2026-02-01'), release)).toBeNull();
  expect(datedChangelog('# Changelog\n\n## Unreleased\n\n### Trust\n\n- More.\n', release)).toBeNull();
});
