import { z } from 'zod';

const isoSchema = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
const withoutZone = /T[\d:.]+$/;

/**
 * A point in time as ISO 8601 in any of its usual forms: a date is its first moment, and without a zone it is UTC.
 * The `+` of a zone may have come as a space, as it does in an address that nobody encoded.
 */
export const timeSchema = z
  .string()
  .transform((text, context) => {
    const parsed = isoSchema.safeParse(text.replace(' ', '+'));
    const time = new Date(withoutZone.test(parsed.data ?? '') ? `${parsed.data}Z` : (parsed.data ?? ''));
    const year = time.getUTCFullYear();
    if (year >= 1 && year <= 9_999) return time;
    context.addIssue({ code: 'custom', message: 'not an ISO 8601 time' });
    return z.NEVER;
  })
  .meta({ format: 'date-time' });
