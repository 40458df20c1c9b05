/** One message of one visitor. */
export interface ChatMessage {
  /** From 1. */
  readonly chat: number;
  /** The number of the message in the chat, from 1. */
  readonly index: number;
  readonly text: string;
}

/** The parts of a platform that one bot needs, with the messages it was told to send. */
export interface ChatPlatform {
  /** The fields with which its channel is created. */
  readonly channel: {
    readonly channel: string;
    readonly credentials: Readonly<Record<string, unknown>>;
    readonly settings: Readonly<Record<string, unknown>>;
  };
  /** The address at which the installation receives events. */
  postTo(webhookUrl: string): void;
  /** The address of the installation for visitors, on channels where they use it directly. */
  visit?(hub: { readonly address: string; readonly publicToken: string }): void;
  /** The messages that the platform received, by chat, in the order of their arrival. */
  readonly sent: ReadonlyMap<number, readonly string[]>;
  /**
   * The time at which a visitor last saw that an answer is coming, by `performance`; absent if the platform shows
   * nothing.
   */
  readonly typing?: ReadonlyMap<number, number>;
  /** The number of sends whose answer was lost with the process that had requested them. */
  lostAnswers(): number;
  /** Sends a message until it is accepted, as the platform does. Returns the number of attempts. */
  tell(message: ChatMessage): Promise<number>;
  close(): void | Promise<void>;
}
