export const ticketFormats = ['mbox', 'zendesk', 'intercom', 'chatwoot'] as const;
export type TicketFormat = (typeof ticketFormats)[number];

/**
 * Why a record is no ticket to learn from. `unreadable`: it is not what the format says. `too_large`: it is longer than any
 * ticket. `automatic`: a machine began it. `outbound`: an agent began it. `no_question`: it has no text of a customer.
 * `no_reply`: no agent wrote a reply with a statement. `duplicate`: its id was there before. `too_many`: the file has more
 * tickets than are read.
 */
export const omissions = [
  'unreadable',
  'too_large',
  'automatic',
  'outbound',
  'no_question',
  'no_reply',
  'duplicate',
  'too_many',
] as const;
export type Omission = (typeof omissions)[number];

/** A conversation of another help desk: what a customer asked first, and what an agent replied. */
export interface Ticket {
  /** Its id in the export. */
  readonly externalId: string;
  readonly askedAt: Date | null;
  /** ISO 639-1; null if the export does not tell. */
  readonly language: string | null;
  /** The customer's own words, below the subject. */
  readonly question: string;
  /** The first reply with a statement. */
  readonly reply: string;
  readonly tags: readonly string[];
  /** The customer's rating from 1 to 5; null without one. */
  readonly rating: number | null;
}

/** A record of an export, by its number from 1. */
export type TicketReading =
  | { readonly record: number; readonly ticket: Ticket }
  | { readonly record: number; readonly omission: Omission };
