import { z } from 'zod';

const person = z.object({ name: z.string(), address: z.string() });
const people = z.array(person);

const file = z.object({
  name: z.string().nullable(),
  type: z.string().nullable(),
  bytes: z.int().nonnegative().nullable(),
  /** Reference of the part within the mail. */
  part: z.string(),
  /** Whether the file is shown within the text. */
  embedded: z.boolean(),
});

const lane = z.string().regex(/^[0-9a-f]{20}$/);

/** A mail as it is stored until it is processed: everything that later processing may need. */
export const mailSchema = z.object({
  uid: z.int().nonnegative(),
  uidValidity: z.string(),
  /** The lane of its thread, and whether the mail started it. */
  lane,
  begins: z.boolean(),
  /** How the sender joined the thread; null for the first mail. */
  joinedBy: z.enum(['participant', 'token', 'colleague']).nullable(),
  /** Time of arrival at our mail server. */
  receivedAt: z.iso.datetime(),
  bytes: z.int().nonnegative().nullable(),
  /** Names in lower case, in the order of the mail. */
  headers: z.array(z.tuple([z.string(), z.string()])),
  from: person.nullable(),
  replyTo: people,
  to: people,
  cc: people,
  subject: z.string(),
  messageId: z.string().nullable(),
  inReplyTo: z.array(z.string()),
  references: z.array(z.string()),
  text: z.string(),
  html: z.string(),
  /** The HTML as plain text if the mail has no text. */
  htmlText: z.string(),
  files: z.array(file),
  /** An invitation, or a reply to one. */
  calendar: z.object({ method: z.string(), text: z.string() }).nullable(),
  /** Reports of a mail server about another mail, and that mail. */
  reports: z.array(z.object({ type: z.string(), text: z.string() })),
  /** The mail was larger than `max_bytes`: only its headers and text are included. */
  isCut: z.boolean(),
  /** Parsing took too much time or memory: only its headers are included. */
  isUnread: z.boolean(),
});

/** A mail whose thread has not been looked up yet. */
export const unthreadedSchema = mailSchema.omit({ lane: true, begins: true, joinedBy: true });

/** The notice stored after a mail that refers to a thread in which its sender takes no part. */
export const quotingNoticeSchema = z.object({ quotes: lane });

export type Mail = z.infer<typeof mailSchema>;
export type UnthreadedMail = z.infer<typeof unthreadedSchema>;
