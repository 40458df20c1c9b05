/** One message of one visitor. */
export interface ChatMessage {
  /** From 1. */
  readonly chat: number;
  /** The number of the message in the chat, from 1. */
  readonly index: number;
  readonly text: string;
}

/** As much of a platform as one bot needs, and what it was told to send. */
export interface ChatPlatform {
  /** The fields with which its channel is created. */
  readonly channel: {
    readonly channel: string;
    readonly credentials: Readonly<Record<string, unknown>>;
    readonly settings: Readonly<Record<string, unknown>>;
  };
  /** Where the installation wants to be told of what happens. */
  postTo(webhookUrl: string): void;
  /** Where visitors find the installation, on channels where they speak with it themselves. */
  visit?(hub: { readonly address: string; readonly publicToken: string }): void;
  /** The messages that the platform received, by chat, in the order of their arrival. */
  readonly sent: ReadonlyMap<number, readonly string[]>;
  /** When a visitor was last shown that an answer is coming, by `performance`; absent where the platform shows nothing. */
  readonly typing?: ReadonlyMap<number, number>;
  /** Sends whose answer was lost with the process that had asked. */
  lostAnswers(): number;
  /** Tells of a message until that is taken, as the platform does; how many times that took. */
  tell(message: ChatMessage): Promise<number>;
  close(): void | Promise<void>;
}
