/** Something that Telegram updates are posted to, and that answers each with one message. */
export interface WebhookTarget {
  readonly name: string;
  /** Where updates are posted. */
  readonly address: string;
  /** What they show. */
  readonly secret: string;
  readonly pid: number;
  stop(): Promise<void>;
}
