/** Something that Telegram updates are posted to, and that answers each with one message. */
export interface WebhookTarget {
  readonly name: string;
  /** Where updates are posted. */
  readonly address: string;
  /** The secret that they carry. */
  readonly secret: string;
  readonly pid: number;
  /** The same in the same process, to which the chats of an earlier load are new again. Absent: it has to be started anew. */
  renew?(): Promise<WebhookTarget>;
  stop(): Promise<void>;
}
