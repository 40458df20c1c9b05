import { z } from 'zod';

const startTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day as HH:MM');
const endTime = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time of day as HH:MM');
const openings = z
  .array(
    z
      .object({ from: startTime, to: endTime })
      // Both have two digits per part, so that string comparison compares times.
      .refine(({ from, to }) => from < to, 'must end after it starts'),
  )
  .max(10)
  .optional();

/** Opening hours in one time zone. A missing day is closed. */
export const supportHoursSchema = z.object({
  time_zone: z.string().max(64).refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin'),
  monday: openings,
  tuesday: openings,
  wednesday: openings,
  thursday: openings,
  friday: openings,
  saturday: openings,
  sunday: openings,
});

export type SupportHours = z.output<typeof supportHoursSchema>;

function isTimeZone(name: string): boolean {
  // Intl also accepts offsets such as `+01:00`, which have no daylight saving time.
  if (!/^[a-z]/iu.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Whether support is open, and when it opens next. */
export type SupportState =
  | { readonly isOpen: true }
  | {
      readonly isOpen: false;
      /** Local time of the next opening, stored as if it were UTC. */
      readonly opensAt: Date;
      /** 0 for today, 7 for the same weekday next week. */
      readonly daysAhead: number;
    };

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** Returns the support state, or null if no opening hours are set. */
export function findSupportState(hours: SupportHours | undefined, now: Date): SupportState | null {
  if (hours === undefined) return null;
  const { date, time } = toWallClock(now, hours.time_zone);
  const today = listOpenings(hours, date);
  if (today.some(({ from, to }) => from <= time && time < to)) return { isOpen: true };
  for (let daysAhead = 0; daysAhead <= DAYS.length; daysAhead += 1) {
    // Calendar days instead of 24-hour steps, because days with a clock change are shorter or longer.
    const day = new Date(date);
    day.setUTCDate(day.getUTCDate() + daysAhead);
    const [next] = listOpenings(hours, day)
      .map(({ from }) => from)
      .filter((from) => daysAhead > 0 || from > time)
      .sort();
    if (next !== undefined) {
      const opensAt = new Date(`${day.toISOString().slice(0, 10)}T${next}Z`);
      return { isOpen: false, opensAt, daysAhead };
    }
  }
  return null;
}

function listOpenings(hours: SupportHours, date: Date) {
  const day = DAYS[date.getUTCDay()];
  return day === undefined ? [] : (hours[day] ?? []);
}

function toWallClock(now: Date, timeZone: string): { readonly date: Date; readonly time: string } {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    date: new Date(`${part.year}-${part.month}-${part.day}T00:00Z`),
    time: `${part.hour}:${part.minute}`,
  };
}
