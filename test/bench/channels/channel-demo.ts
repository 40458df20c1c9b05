import type { ChatPlatform } from '../chaos/chat-platform.ts';

/** An answer as a visitor reads it. */
export interface ReadAnswer {
  readonly text: string;
  /** Titles of the documents that it names. */
  readonly sources: readonly string[];
}

/** A channel with a platform to try it on. */
export interface ChannelDemo {
  readonly channel: string;
  /** Whether we acknowledge nothing to it: it is asked for what was said, or holds a connection. */
  readonly isListenedTo?: true;
  start(): Promise<ChatPlatform>;
  /** Of what was sent; where that is HTML, and sources have lines of their own, `readHtmlAnswer` does. */
  read(sent: string): ReadAnswer;
}
