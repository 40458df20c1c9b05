import { describe, expect, test } from 'vitest';
import { escalateToHuman } from '../../../../../core/answering/skills/escalate-to-human/escalate-to-human.ts';
import type { SupportHours } from '../../../../../core/workspaces/support-hours.ts';
import { skillMoment } from '../../../../helpers/models/skill-moment.ts';

const day = [{ from: '09:00', to: '17:00' }];
const hours: SupportHours = { time_zone: 'Europe/Berlin', monday: day, wednesday: day };
const open = new Date('2026-07-06T10:00:00Z');
const closed = new Date('2026-07-06T18:00:00Z');
const plain = escalateToHuman({});
const withHours = escalateToHuman({ support_hours: hours });
const ask = 'I want to talk to a human';

describe('escalate_to_human', () => {
  test("is triggered by a request in another language than the conversation's", () => {
    expect(plain.trigger(skillMoment('Ich möchte mit einem Menschen sprechen'))).toEqual({});
    expect(plain.trigger(skillMoment('How do I add an agent?'))).toBeNull();
  });

  test('escalates with the reason that the visitor asked for a person', async () => {
    const { effects } = await plain.run({}, skillMoment(ask));
    expect(effects).toEqual([{ kind: 'escalate', reason: 'The visitor asked for a person.' }]);
  });

  test('does not claim a request that the visitor did not make', async () => {
    const { effects } = await plain.run({}, skillMoment('My order never came'));
    expect(effects).toEqual([{ kind: 'escalate', reason: 'A person is needed.' }]);
  });

  test('stores the given reason, up to 500 characters', async () => {
    const given = { reason: '  Two answers in a row were not found. ' };
    const short = await plain.run(given, skillMoment('And now?'));
    expect(short.effects).toEqual([{ kind: 'escalate', reason: 'Two answers in a row were not found.' }]);
    const long = await plain.run({ reason: '😀'.repeat(600) }, skillMoment('And now?'));
    expect(long.effects).toEqual([{ kind: 'escalate', reason: '😀'.repeat(500) }]);
  });

  test.each([[null], ['text'], [{ reason: 7 }], [{ reason: ' ' }], [[]], [undefined]])(
    'takes %j for no reason',
    async (given) => {
      const { effects } = await plain.run(given, skillMoment(ask));
      expect(effects).toEqual([{ kind: 'escalate', reason: 'The visitor asked for a person.' }]);
    },
  );

  test('promises no time without support hours', async () => {
    for (const skill of [plain, escalateToHuman({ support_hours: { time_zone: 'UTC', monday: [] } })]) {
      const { reply } = await skill.run({}, skillMoment(ask));
      expect(reply).toBe('I have passed this conversation on to our team. A person will answer you here.');
    }
  });

  test('promises an answer shortly during support hours', async () => {
    const { reply } = await withHours.run({}, skillMoment(ask, { now: open }));
    expect(reply).toContain('Someone will be with you here shortly.');
  });

  test.each([
    ['en', 'on Wednesday at 09:00 (Europe/Berlin)'],
    ['de', 'am Mittwoch um 09:00 Uhr (Europe/Berlin)'],
    ['es', 'el miércoles a las 09:00 (Europe/Berlin)'],
    ['fr', 'le mercredi à 09:00 (Europe/Berlin)'],
    ['it', 'mercoledì alle ore 09:00 (Europe/Berlin)'],
    ['pt', 'quarta-feira, às 09:00 (Europe/Berlin)'],
    ['nl', 'woensdag om 09:00 uur (Europe/Berlin)'],
    ['xx', 'on Wednesday at 09:00 (Europe/Berlin)'],
  ])('states when the team is back outside support hours, in %s', async (language, expected) => {
    const { reply } = await withHours.run({}, skillMoment(ask, { now: closed, language }));
    expect(reply).toContain(expected);
  });

  test('states the date of a day a week ahead', async () => {
    const skill = escalateToHuman({ support_hours: { time_zone: 'Europe/Berlin', monday: day } });
    const { reply } = await skill.run({}, skillMoment(ask, { now: closed }));
    expect(reply).toContain('on Monday, July 13 at 09:00');
  });

  test('does not escalate twice', async () => {
    for (const skill of [plain, withHours]) {
      const { reply, effects } = await skill.run({}, skillMoment(ask, { withPerson: true }));
      expect(effects).toEqual([]);
      expect(reply).toContain('Our team already knows');
      expect(reply).not.toMatch(/I have passed|shortly/);
    }
  });
});
