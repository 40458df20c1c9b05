import type { Command } from '../../../core/contract/inbound.ts';

/** What is different about the ways that Twilio sends messages by. */
export interface Medium {
  /** Stands before numbers. */
  readonly prefix: '' | 'whatsapp:';
  /** What words that stand alone, in capital letters, mean there. */
  readonly words: Readonly<Record<string, Word>>;
}

/** A command; a wish to hear nothing more; or what Twilio answers itself. */
export type Word = Command | 'opt-out' | 'left-to-twilio';
