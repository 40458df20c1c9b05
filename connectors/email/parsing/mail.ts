import { z } from 'zod';
import { optionalField } from '../../shared/payload.ts';

const person = z.object({ name: z.string().catch(''), address: z.string() });
const people = z.array(person).catch([]);

const file = z.object({
  name: optionalField(z.string()),
  type: optionalField(z.string()),
  bytes: optionalField(z.int().nonnegative()),
  /** How it is found again in the mail. */
  part: z.string().catch(''),
  /** Whether it is shown within the text. */
  embedded: z.boolean().catch(false),
});

const lane = z.string().regex(/^[0-9a-f]{20}$/);

/** A mail as it is stored until it is dealt with: everything that it may be understood by, now or later. */
export const mailSchema = z.object({
  uid: z.int().nonnegative(),
  uidValidity: z.string(),
  /** The thread that it is of, and whether it began that. */
  lane,
  begins: z.boolean().catch(true),
  /** Whether the sender is known to be of the team. */
  joinedBy: z.enum(['participant', 'token', 'colleague']).nullable().catch(null),
  /** When our server took it. */
  receivedAt: z.iso.datetime(),
  bytes: optionalField(z.int().nonnegative()),
  /** In small letters, in the order of the mail. */
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
  /** The HTML as a reader sees it, where there is no text; null of mails that were stored before it was kept. */
  htmlText: z.string().nullable().catch(null),
  files: z.array(file).catch([]),
  /** An invitation, or an answer to one. */
  calendar: optionalField(z.object({ method: z.string(), text: z.string() })),
  /** What a mail server told of a mail, and the mail that it told of. */
  reports: z.array(z.object({ type: z.string(), text: z.string() })).catch([]),
  /** It was larger than what is read: only its headers and text are here. */
  isCut: z.boolean().catch(false),
  /** Reading it took too much time or memory: only what its head says is here. */
  isUnread: z.boolean().catch(false),
});

/** A mail whose thread is not looked up yet. */
export const unthreadedSchema = mailSchema.omit({ lane: true, begins: true, joinedBy: true });

/** What is stored behind a mail that quotes a thread in which its sender takes no part. */
export const quotingNoticeSchema = z.object({ quotes: lane });

export type Mail = z.infer<typeof mailSchema>;
export type UnthreadedMail = z.infer<typeof unthreadedSchema>;

export function findHeader({ headers }: Pick<Mail, 'headers'>, name: string): string | null {
  return headers.find(([key]) => key === name)?.[1] ?? null;
}
