import { describe, expect, test } from 'vitest';
import type { SupportHours } from '../../../core/workspaces/support-hours.ts';
import { findSupportState } from '../../../core/workspaces/support-hours.ts';

const day = [{ from: '09:00', to: '17:00' }];
const office: SupportHours = {
  time_zone: 'Europe/Berlin',
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
};
const opensAt = (hours: SupportHours, now: string) => {
  const state = findSupportState(hours, new Date(now));
  if (state === null || state.isOpen) return state;
  return [state.opensAt.toISOString().slice(0, 16), state.daysAhead];
};

describe('supportState', () => {
  test.each([
    ['2026-07-06T07:00:00Z', 'the minute it opens, in summer'],
    ['2026-07-06T14:59:59Z', 'the last second'],
    ['2026-01-05T08:00:00Z', 'the minute it opens, in winter'],
  ])('is open at %s: %s', (now) => {
    expect(findSupportState(office, new Date(now))).toEqual({ isOpen: true });
  });

  test.each([
    ['2026-07-06T06:59:59Z', ['2026-07-06T09:00', 0], 'a minute early'],
    ['2026-07-06T15:00:00Z', ['2026-07-07T09:00', 1], 'the minute it closes'],
    ['2026-07-10T15:00:00Z', ['2026-07-13T09:00', 3], 'over a weekend'],
    ['2026-07-05T22:30:00Z', ['2026-07-06T09:00', 0], 'Sunday in UTC, Monday in Berlin'],
    ['2026-03-27T16:30:00Z', ['2026-03-30T09:00', 3], 'over the night of summer time'],
    ['2026-03-29T00:59:00Z', ['2026-03-30T09:00', 1], 'before the clocks go forward'],
    ['2026-03-29T22:30:00Z', ['2026-03-30T09:00', 0], 'after midnight of the short day'],
    ['2026-10-25T22:30:00Z', ['2026-10-26T09:00', 1], 'before midnight of the long day'],
    ['2026-12-31T23:30:00Z', ['2027-01-01T09:00', 0], 'a new year in Berlin only'],
  ])('is closed at %s and opens %j: %s', (now, expected) => {
    expect(opensAt(office, now)).toEqual(expected);
  });

  test('the same weekday of the next week is seven days ahead', () => {
    const hours: SupportHours = { time_zone: 'Asia/Tokyo', monday: [{ from: '10:00', to: '11:00' }] };
    expect(opensAt(hours, '2026-07-06T02:00:00Z')).toEqual(['2026-07-13T10:00', 7]);
  });

  test('hours until 24:00 continue into a day that opens at 00:00', () => {
    const hours: SupportHours = {
      time_zone: 'America/Los_Angeles',
      friday: [{ from: '22:00', to: '24:00' }],
      saturday: [{ from: '00:00', to: '02:00' }],
    };
    for (const now of ['2026-07-11T06:59:59Z', '2026-07-11T07:00:00Z', '2026-07-11T08:59:00Z']) {
      expect(findSupportState(hours, new Date(now))).toEqual({ isOpen: true });
    }
    expect(opensAt(hours, '2026-07-11T09:00:00Z')).toEqual(['2026-07-17T22:00', 6]);
  });

  test('support is closed during a break, whatever the order of the hours', () => {
    const hours: SupportHours = {
      time_zone: 'UTC',
      monday: [
        { from: '13:00', to: '17:00' },
        { from: '09:00', to: '12:00' },
      ],
    };
    expect(opensAt(hours, '2026-07-06T12:30:00Z')).toEqual(['2026-07-06T13:00', 0]);
    expect(opensAt(hours, '2026-07-06T08:30:00Z')).toEqual(['2026-07-06T09:00', 0]);
  });

  test('no hours and an empty week are the same', () => {
    const now = new Date('2026-07-06T12:00:00Z');
    expect(findSupportState(undefined, now)).toBeNull();
    expect(findSupportState({ time_zone: 'UTC' }, now)).toBeNull();
    expect(findSupportState({ time_zone: 'UTC', monday: [] }, now)).toBeNull();
  });
});
