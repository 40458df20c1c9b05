import type { ChatPlatform } from '../chaos/platforms/chat-platform.ts';

/** An answer as a visitor reads it. */
export interface ReadAnswer {
  readonly text: string;
  /** The titles of the documents that it names, or their addresses if it has no room for titles. */
  readonly sources: readonly string[];
}

/** A channel with a platform to try it on. */
export interface ChannelDemo {
  readonly channel: string;
  /** Whether the platform gets no acknowledgement: the product polls it, or holds a connection. */
  readonly isListenedTo?: true;
  /** The programs that the machine must have, beyond those that the project installs. */
  readonly needs?: string;
  /** Starts the platform; null if the machine lacks what it needs. Files go into `folder`. */
  start(folder: string): Promise<ChatPlatform | null>;
  /** Reads an answer that was sent. */
  read(sent: string): ReadAnswer | Promise<ReadAnswer>;
}
