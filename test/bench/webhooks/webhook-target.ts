/** A server to which Telegram updates are posted, and that answers each with one message. */
export interface WebhookTarget {
  readonly name: string;
  /** Where updates are posted. */
  readonly address: string;
  /** The secret that they carry. */
  readonly secret: string;
  readonly pid: number;
  /**
   * Returns the same target in the same process, to which the chats of an earlier load are new again. Absent: it has
   * to be restarted.
   */
  renew?(): Promise<WebhookTarget>;
  stop(): Promise<void>;
}
