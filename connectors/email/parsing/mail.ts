import { z } from 'zod';
import { optionalField } from '../../shared/http.ts';

const person = z.object({ name: z.string().catch(''), address: z.string() });
const people = z.array(person).catch([]);

const file = z.object({
  name: optionalField(z.string()),
  type: optionalField(z.string()),
  bytes: optionalField(z.int().nonnegative()),
  /** Reference of the part within the mail. */
  part: z.string().catch(''),
  /** Whether the file is shown within the text. */
  embedded: z.boolean().catch(false),
});

const lane = z.string().regex(/^[0-9a-f]{20}$/);

/** A mail as it is stored until it is processed: everything that later processing may need. */
export const mailSchema = z.object({
  uid: z.int().nonnegative(),
  uidValidity: z.string(),
  /** The lane of its thread, and whether the mail started it. */
  lane,
  begins: z.boolean().catch(true),
  /** How the sender joined the thread; null for the first mail. */
  joinedBy: z.enum(['participant', 'token', 'colleague']).nullable().catch(null),
  /** Time of arrival at our mail server. */
  receivedAt: z.iso.datetime(),
  bytes: optionalField(z.int().nonnegative()),
  /** Names in lower case, in the order of the mail. */
  headers: z.array(z.tuple([z.string(), z.string()])).catch([]),
  from: optionalField(person),
  replyTo: people,
  to: people,
  cc: people,
  subject: z.string().catch(''),
  messageId: optionalField(z.string()),
  inReplyTo: z.array(z.string()).catch([]),
  references: z.array(z.string()).catch([]),
  text: z.string().catch(''),
  html: z.string().catch(''),
  /** The HTML as plain text if the mail has no text; null for mails that older versions stored. */
  htmlText: z.string().nullable().catch(null),
  files: z.array(file).catch([]),
  /** An invitation, or a reply to one. */
  calendar: optionalField(z.object({ method: z.string(), text: z.string() })),
  /** Reports of a mail server about another mail, and that mail. */
  reports: z.array(z.object({ type: z.string(), text: z.string() })).catch([]),
  /** The mail was larger than `max_bytes`: only its headers and text are included. */
  isCut: z.boolean().catch(false),
  /** Parsing took too much time or memory: only its headers are included. */
  isUnread: z.boolean().catch(false),
});

/** A mail whose thread has not been looked up yet. */
export const unthreadedSchema = mailSchema.omit({ lane: true, begins: true, joinedBy: true });

/** Stored after a mail that refers to a thread in which its sender takes no part. */
export const quotingNoticeSchema = z.object({ quotes: lane });

export type Mail = z.infer<typeof mailSchema>;
export type UnthreadedMail = z.infer<typeof unthreadedSchema>;

export function findHeader({ headers }: Pick<Mail, 'headers'>, name: string): string | null {
  return headers.find(([key]) => key === name)?.[1] ?? null;
}
