import { describe, expect, test } from 'vitest';
import { describeSettings } from '../../../../../server/admin/settings/setting-descriptions.ts';
import type { Command } from '../../../../../server/dashboard/browser/frame/command/command.ts';
import { groupCommands } from '../../../../../server/dashboard/browser/frame/command/group-commands.ts';
import { listSettings } from '../../../../../server/dashboard/browser/frame/command/list-settings.ts';
import { fold, rankMatch } from '../../../../../server/dashboard/browser/frame/command/match.ts';
import { command as words } from '../../../../../server/dashboard/browser/texts/english/screens/command.ts';
import { english } from '../../../../../server/dashboard/browser/texts/english.ts';
import { command as germanWords } from '../../../../../server/dashboard/browser/texts/german/screens/command.ts';
import { german } from '../../../../../server/dashboard/browser/texts/german.ts';

const rank = (typed: string, label: string, others = '') =>
  rankMatch(fold(typed), { label: fold(label), others: fold(others) });

test.each([
  ['web', 'Webhooks', 0],
  ['rule sign', 'Sign-in rules', 1],
  ['hook', 'Webhooks', 2],
  ['retention', 'Keep conversations for (days)', null],
  ['uber', 'Über uns', 0],
  ['telegarm', 'Telegram', 4],
  ['retrun', 'Returns and refunds', 4],
  ['tag', 'Targets for people', null],
  ['xebhooks', 'Webhooks', null],
])('“%s” finds “%s” with the rank %s', (typed, label, expected) => {
  expect(rank(typed, label)).toBe(expected);
});

test('other words find an entry after all labels', () => {
  expect(rank('retention', 'Keep conversations for (days)', 'retention_days')).toBe(3);
});

function command(id: string, group: Command['group'], more: Partial<Command> = {}): Command {
  return { id, group, label: id, icon: null, ...more };
}

describe('groups of the command menu', () => {
  const commands = [
    command('Inbox', 'goTo'),
    command('Invite a person', 'doIt'),
    command('Name of the workspace', 'settings'),
    command('Invoices', 'documents', { isFound: true }),
  ];
  const show = (typed: string, latest: readonly string[] = []) =>
    groupCommands(commands, { typed, latest }).map(({ id, commands: listed }) => [
      id,
      ...listed.map(({ label }) => label),
    ]);

  test('with an empty field the latest choice comes first, once, and settings are not listed', () => {
    expect(show('', ['Invite a person', 'gone', 'Inbox'])).toEqual([['latest', 'Invite a person', 'Inbox']]);
    expect(show('')).toEqual([
      ['goTo', 'Inbox'],
      ['doIt', 'Invite a person'],
    ]);
  });

  test('the group with the best fit comes first, and what the server found stays', () => {
    expect(show('person')).toEqual([
      ['doIt', 'Invite a person'],
      ['documents', 'Invoices'],
    ]);
  });

  test('a mistake in the typing counts only while nothing fits exactly', () => {
    const typed = [command('Trade desk', 'workspaces'), command('Traces', 'settings')];
    const groups = (text: string) => groupCommands(typed, { typed: text, latest: [] }).map(({ id }) => id);
    expect(groups('trade')).toEqual(['workspaces']);
    expect(groups('tarde')).toEqual(['workspaces']);
  });

  test('a group lists six entries and counts all', () => {
    const many = Array.from({ length: 9 }, (_, at) => command(`Shop ${at}`, 'workspaces'));
    const [group] = groupCommands(many, { typed: 'shop', latest: [] });
    expect([group?.commands.length, group?.total]).toEqual([6, 9]);
  });
});

const schema = describeSettings({ plan: 'growth', settings: {} });

test('each setting of the server is found by its name in both languages', () => {
  const inEnglish = listSettings(schema, { texts: english, words, mayChange: true });
  const inGerman = listSettings(schema, { texts: german, words: germanWords, mayChange: true });
  const ids = Object.keys(schema.properties).map((name) => `setting-${name}`);
  expect(inEnglish.map(({ id }) => id).toSorted()).toEqual(['setting-name', ...ids].toSorted());
  const found = inGerman.find(({ id }) => id === 'setting-retention_days');
  expect(found).toMatchObject({
    label: 'Gespräche behalten (Tage)',
    path: 'settings/general?field=retention_days',
  });
});

test('settings of a page that only owners see are not offered to others', () => {
  const paths = listSettings(schema, { texts: english, words, mayChange: false }).map(({ path }) => path);
  expect(paths.filter((path) => path.includes('identity'))).toEqual([]);
});
