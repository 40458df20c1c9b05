import { z } from 'zod';
import { isWorkspaceId } from '../../core/ids.ts';
import { withErrorCode } from './responses.ts';

interface Limits {
  readonly min?: number;
  readonly max: number;
}

/** A string of so many characters, counted as Unicode code points; `base` may prepare it first. */
export function boundedString({ min = 0, max }: Limits, base = z.string()) {
  return base
    .refine((value) => {
      const count = Array.from(value).length;
      return count >= min && count <= max;
    })
    .meta({ minLength: min, maxLength: max });
}

/** What a person calls a thing, trimmed. */
export const nameSchema = boundedString({ min: 1, max: 200 }, z.string().trim());

/**
 * One e-mail address, without a display name or quotes: `a,b@c.example` would be two recipients to a mail server.
 * Whether mail arrives there is not checked.
 */
export const emailSchema = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@\p{Cc},;:<>()[\]\\"]+@[^\s@\p{Cc},;:<>()[\]\\"]+$/u)
  .meta({ format: 'email' });

const maxMessageCharacters = 4_000;

/** What somebody says, trimmed; it may be nothing. */
export const messageTextSchema = z
  .string()
  .trim()
  .refine((text) => Array.from(text).length <= maxMessageCharacters, withErrorCode('message_too_long'))
  .meta({ maxLength: maxMessageCharacters });

/** The text of a question, trimmed. */
export const questionSchema = messageTextSchema
  .refine((text) => text !== '', withErrorCode('missing_field'))
  .meta({ minLength: 1, maxLength: 4_000 });

const isoSchema = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
const localTimePattern = /T[\d:.]+$/;

/**
 * A point in time as ISO 8601 in any of its usual forms: a date is its first moment, and without a zone it is UTC.
 * The `+` of a zone may have come as a space, as it does in an address that nobody encoded.
 */
export const timeSchema = z
  .string()
  .transform((text, context) => {
    const parsed = isoSchema.safeParse(text.replace(' ', '+'));
    const time = new Date(localTimePattern.test(parsed.data ?? '') ? `${parsed.data}Z` : (parsed.data ?? ''));
    const year = time.getUTCFullYear();
    if (year >= 1 && year <= 9_999) return time;
    context.addIssue({ code: 'custom', message: 'not an ISO 8601 time' });
    return z.NEVER;
  })
  .meta({ format: 'date-time' });

export const workspaceIdSchema = z.string().refine(isWorkspaceId, withErrorCode('invalid_workspace_id'));

/** Audience tags; whether the workspace knows them is asked later. */
export const audienceSchema = z.array(z.string().trim().min(1).max(64)).max(50);

/** Documents to draw on; whether they exist is asked later. */
export const documentIdsSchema = z.array(z.string().min(1).max(100)).max(100);

/** An address of the owner's that this server calls. */
export const callbackUrlSchema = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .refine(hasNoCredentials);

/** Who is called signs nothing in: a password in an address would be shown wherever the address is. */
function hasNoCredentials(address: string): boolean {
  const url = URL.parse(address);
  return url?.username === '' && url.password === '';
}
