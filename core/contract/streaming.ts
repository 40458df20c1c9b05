import type { Account, ConversationRef } from './account.ts';
import type { Json } from './json.ts';
import type { OutboundPart, Receipt } from './reply.ts';
import type { Tools } from './tools.ts';

/** An answer that is shown while it is made. */
export interface Draft {
  /** What the platform calls it: stored, so that another process can end what this one began. */
  readonly state: Json;
}

/** Shows answers while they are made. What fails of it costs nothing: the whole answer is sent in the end. */
export interface Streaming<Credentials, Settings> {
  /** More often than this it is not called. */
  readonly everyMs: number;
  /** Whether it is possible there, and wanted of this account. */
  applies(to: ConversationRef, account: Account<Credentials, Settings>): boolean;
  /** Shows the first words. `text` is Markdown, as it is so far. */
  begin(
    beginning: { readonly text: string; readonly replyTo: string | null; readonly to: ConversationRef },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Draft>;
  /** Shows more of it: `text` begins with `shown`, which is what was shown before. */
  show(
    more: {
      readonly draft: Draft;
      readonly text: string;
      readonly shown: string;
      readonly to: ConversationRef;
    },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Draft>;
  /** Puts the first part of the reply in its place, as it is stored: whatever was shown of it before. */
  end(
    ending: { readonly draft: Draft; readonly part: OutboundPart; readonly to: ConversationRef },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Receipt>;
  /** Nothing is said after all. */
  discard(
    draft: Draft,
    to: ConversationRef,
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<void>;
}
