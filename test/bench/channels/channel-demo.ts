/** What a visitor is shown on a platform, and when: by the clock of `performance`. */
export interface Heard {
  readonly kind: 'typing' | 'answer';
  readonly atMs: number;
  /** Without markup and sources; empty for a sign of typing. */
  readonly text: string;
  /** Titles of the documents that an answer names. */
  readonly sources: readonly string[];
}

export interface Said {
  /** Of the visitor: each has a conversation of his own. */
  readonly chat: number;
  /** From 1 on, within the conversation. */
  readonly index: number;
  readonly text: string;
}

/** A platform that runs here, with one account that we have on it. */
export interface DemoPlatform {
  /** What the channel is added with. */
  readonly account: { readonly credentials: object; readonly settings: object };
  /** Called when the channel is there: what an operator does on the platform's own pages. */
  connect(channel: { readonly webhookUrl: string | null }): Promise<void>;
  /** Says something to us, as often as it takes until it is taken; resolves then. */
  say(said: Said): Promise<void>;
  /** What a visitor was shown so far, oldest first. */
  heardBy(chat: number): readonly Heard[];
  /** Answers whose acknowledgement was lost with the process that had sent them. */
  lostAnswers(): number;
  close(): void;
}

/** A channel with a platform to try it on. */
export interface ChannelDemo {
  readonly channel: string;
  /** Whether we acknowledge nothing to it: it is asked for what was said, or holds a connection. */
  readonly isListenedTo?: true;
  start(): Promise<DemoPlatform>;
}
