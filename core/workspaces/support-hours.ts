import { z } from 'zod';

const startTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day as HH:MM');
const endTime = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time of day as HH:MM');
const openings = z
  .array(
    z
      .object({ from: startTime, to: endTime })
      // Of two digits each, so that the order of the letters is that of the times.
      .refine(({ from, to }) => from < to, 'must end after it begins'),
  )
  .max(10)
  .optional();

/** When people answer, by the clocks of one time zone; a day that is absent is closed. */
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
  // Intl takes `+01:00` as well, which knows no summer time.
  if (!/^[a-z]/iu.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
