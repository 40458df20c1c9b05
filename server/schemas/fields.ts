import { z } from 'zod';
import { connectors } from '../../connectors/registry.ts';
import { isWorkspaceId } from '../../core/base/ids.ts';
import {
  hasHiddenCharacters,
  hasWebAddress,
  isReservedName,
  PERSON_NAME_CHARACTERS,
} from '../../core/members/identity/names.ts';
import { withErrorCode } from './responses.ts';

/** The channel of a conversation: a kind, or `api` for those of the public API. */
export const conversationChannelSchema = z.enum([
  ...connectors.map(({ manifest }) => manifest.channel),
  'api',
]);

interface Limits {
  readonly min?: number;
  readonly max: number;
}

/** A string with a limited length, counted in Unicode code points. `base` can transform it first. */
export function boundedString({ min = 0, max }: Limits, base = z.string()) {
  return base
    .refine((value) => {
      const count = Array.from(value).length;
      return count >= min && count <= max;
    })
    .meta({ minLength: min, maxLength: max });
}

/** The name of a resource, trimmed, on one line. */
export const nameSchema = nameOf(200);

/** The name of a workspace. It stands in mails, so it holds no web address. */
export const workspaceNameSchema = withoutAddress(nameOf(200));

/** The name of an identity provider. */
export const providerNameSchema = withoutAddress(nameOf(PERSON_NAME_CHARACTERS));

/** The name of a person: none of the product or its roles. */
export const personNameSchema = providerNameSchema.refine(
  (name) => !isReservedName(name),
  withErrorCode('reserved_name'),
);

function nameOf(max: number) {
  return boundedString({ min: 1, max }, z.string().trim()).refine((name) => !hasHiddenCharacters(name));
}

function withoutAddress(schema: z.ZodString) {
  return schema.refine((name) => !hasWebAddress(name));
}

/**
 * One email address, without a display name or quotes: a mail server would read `a,b@c.example` as two
 * recipients. Deliverability is not checked.
 */
export const emailSchema = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@\p{Cc},;:<>()[\]\\"]+@[^\s@\p{Cc},;:<>()[\]\\"]+$/u)
  .meta({ format: 'email' });

const maxMessageCharacters = 4_000;

/** The text of a message, trimmed; may be empty. */
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
 * A point in time in any common form of ISO 8601. A date means its first moment, and a time without a zone is
 * UTC. A `+` in a zone may arrive as a space if the client did not URL-encode it.
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

/** Audience tags. A later step checks that the workspace has them. */
export const audienceSchema = z.array(z.string().trim().min(1).max(64)).max(50);

/** Ids of the documents to search. A later step checks that they exist. */
export const documentIdsSchema = z.array(z.string().min(1).max(100)).max(100);

/** A URL of the owner that this server calls. */
export const callbackUrlSchema = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .refine(hasNoCredentials);

/**
 * The server does not sign in to the URL, and a password in it would be visible wherever the URL is shown.
 */
function hasNoCredentials(address: string): boolean {
  const url = URL.parse(address);
  return url?.username === '' && url.password === '';
}

/** Yes or no as a parameter of a query. */
export const queryFlagSchema = z.enum(['true', 'false']).transform((value) => value === 'true');

/** A language that a caller may choose; null leaves it to the text. */
export const languageSchema = z
  .string()
  .regex(/^[a-z]{2}$/)
  .nullable()
  .default(null)
  .meta({ description: 'ISO 639-1. Null: the language of the question.' });
