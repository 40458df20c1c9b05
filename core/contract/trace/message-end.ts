/**
 * The fate of a message. `for_agent`: it was stored for the agent who has the conversation. `unanswered`: it was stored, with
 * a note that says why nobody answers. `continued`: the rest of an answer was asked for. `sent`: an agent's message, or one of
 * the bot that answers nothing. `undelivered`: the platform refused a part for good. `withheld`: a part may no longer be sent.
 * `failed`: the last attempt to answer failed.
 */
export type MessageOutcome =
  | 'answered'
  | 'handed_over'
  | 'cancelled'
  | 'timeout'
  | 'for_agent'
  | 'unanswered'
  | 'rated'
  | 'continued'
  | 'sent'
  | 'undelivered'
  | 'withheld'
  | 'failed';

/** The end of a message: ids and numbers, and nothing of its contents. Times are milliseconds. */
export interface MessageEnd {
  /** The id of the answer; if there is none, that of the message itself. */
  readonly message?: string | undefined;
  readonly conversation?: string | undefined;
  readonly workspace: string;
  /** The kind of channel, such as `telegram` or `api`. */
  readonly kind: string;
  readonly channel?: string | undefined;
  /** The platform's id of the first event that it answers. */
  readonly event?: string | undefined;
  readonly outcome: MessageOutcome;
  /** How often an answer was begun. */
  readonly attempts?: number | undefined;
  readonly parts?: number | undefined;
  /** How often its parts were handed to the platform, altogether. */
  readonly partAttempts?: number | undefined;
  /** The time from its arrival until an answer began. */
  readonly waitMs?: number | undefined;
  readonly answerMs?: number | undefined;
  /** The time from the stored answer to the last part. */
  readonly sendMs?: number | undefined;
  readonly totalMs?: number | undefined;
  /** The id of its trace, if spans are exported. */
  readonly trace?: string | undefined;
}
