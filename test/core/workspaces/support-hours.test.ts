import { describe, expect, test } from 'vitest';
import { supportHoursSchema } from '../../../core/workspaces/support-hours.ts';

const accepts = (hours: unknown) => supportHoursSchema.safeParse(hours).success;

describe('support hours', () => {
  test.each([
    [{ time_zone: 'Europe/Berlin', monday: [{ from: '09:00', to: '17:00' }] }],
    [{ time_zone: 'UTC', sunday: [{ from: '00:00', to: '24:00' }] }],
    [{ time_zone: 'America/New_York' }],
    [
      {
        time_zone: 'Asia/Kolkata',
        friday: [
          { from: '09:00', to: '12:00' },
          { from: '13:00', to: '17:30' },
        ],
      },
    ],
  ])('accept %j', (hours) => {
    expect(accepts(hours)).toBe(true);
  });

  test.each([
    [{ monday: [{ from: '09:00', to: '17:00' }] }, 'no time zone'],
    [{ time_zone: 'Europe/Atlantis' }, 'a zone that is none'],
    [{ time_zone: '+01:00' }, 'an offset'],
    [{ time_zone: 'UTC', monday: [{ from: '17:00', to: '09:00' }] }, 'an end before the beginning'],
    [{ time_zone: 'UTC', monday: [{ from: '09:00', to: '09:00' }] }, 'no time at all'],
    [{ time_zone: 'UTC', monday: [{ from: '24:00', to: '24:00' }] }, 'a beginning at 24:00'],
    [{ time_zone: 'UTC', monday: [{ from: '9:00', to: '17:00' }] }, 'an hour of one digit'],
    [{ time_zone: 'UTC', monday: [{ from: '09:60', to: '17:00' }] }, 'a minute 60'],
  ])('reject %j: %s', (hours, _why) => {
    expect(accepts(hours)).toBe(false);
  });
});
