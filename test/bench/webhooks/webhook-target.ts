/** Something that Telegram updates are posted to, and that answers each with one message. */
export interface WebhookTarget {
  readonly name: string;
  /** Where updates are posted. */
  readonly address: string;
  /** What they show. */
  readonly secret: string;
  readonly pid: number;
  /** The same, to which the chats of an earlier load are new again; it takes the place of this one. */
  renew(): Promise<WebhookTarget>;
  stop(): Promise<void>;
}
