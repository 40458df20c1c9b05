import type { ConversationRef, Json } from './account.ts';

/**
 * One event of the platform in its original form. It is stored first and interpreted later, so that an error in the
 * interpretation can be fixed and replayed.
 */
export interface Delivery {
  /** Identifies the event; equal for every redelivery by the platform. */
  readonly id: string;
  /** The ordering key of the conversation: see `ConversationRef.lane`. */
  readonly lane: string;
  /** The platform's payload, as `normalise` receives it. */
  readonly native: Json;
  /**
   * How long, in milliseconds, the lane waits for further events that belong to this one, such as the other photos of an
   * album. Absent means no wait.
   */
  readonly settleMs?: number;
  /**
   * Like `settleMs`, but applies only if the lane has had no event yet: for platforms that may deliver this event ahead
   * of the event that makes it relevant to the bot.
   */
  readonly settleIfFirstMs?: number;
  /**
   * Set if the platform waits for a confirmation, as for a pressed button. The engine then calls `acknowledge`.
   */
  readonly acknowledge?: true;
  /**
   * The tenant that the event belongs to, if one app account serves several (a team, a guild, an app's customer). The
   * engine assigns the delivery to the tenant's account, and passes only that account to later calls about it.
   */
  readonly tenant?: string;
  /** Values that `recall` returns later. They are stored in the same transaction as the delivery. */
  readonly remember?: readonly RememberedValue[];
}

/** A value stored for the lifetime of the channel. A later value replaces the earlier one with the same key. */
export interface RememberedValue {
  readonly key: string;
  readonly value: Json;
}

/** The author of a message on the platform. Facts that the platform vouches for may be stored with the customer. */
export interface Sender {
  /** The platform's id of the author. */
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** ISO 639-1, from the person's language setting on the platform; null if the platform does not report it. */
  readonly language: string | null;
  /** `self`: this account. `machine`: another bot, a mailing list or an automatic reply. */
  readonly kind: 'person' | 'machine' | 'self';
}

/** A file attached to a message. Only its description is stored; the file stays on the platform. */
export interface Attachment {
  readonly kind: 'image' | 'audio' | 'video' | 'file' | 'other';
  readonly name: string | null;
  readonly contentType: string | null;
  /** The size in bytes, if the platform reports it. */
  readonly bytes: number | null;
  /** The length of a recording in seconds, if the platform reports it. */
  readonly seconds?: number;
  /** The platform's reference to the file, as `fetchFile` receives it. */
  readonly reference: string;
  /** The link to a file of an agent, which is stored in this installation. */
  readonly url?: string;
  /** True for files that are decoration, such as a sticker or a signature's logo. They need no reply. */
  readonly incidental?: boolean;
  /** The words of a recording, as a model of the installation heard them. */
  readonly transcript?: string;
  /** The description of a picture by a model of the installation. */
  readonly description?: string;
}

/** A request other than a question, on platforms that have a form for it (a command, a button or a keyword). */
export type Command =
  | 'start'
  | 'human'
  | 'help'
  /** Requests the rest of a long answer. It counts as an ordinary message if there is no rest. */
  | 'more'
  /** Lifts the visitor's opt-out. It counts as an ordinary message if the visitor has not opted out. */
  | 'resume';

interface MessageFields {
  readonly conversation: ConversationRef;
  readonly sentAt: Date;
  readonly sender: Sender;
  readonly messageId: string;
}

/** An event on the platform, as `normalise` returns it. */
export type InboundEvent =
  | (MessageFields & {
      readonly type: 'message';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      /**
       * Whether the message is addressed to the bot: always true in a direct conversation; in a group, true if it
       * mentions the bot or replies to it. `joined`: addressed only if the bot already takes part in the conversation.
       */
      readonly addressed: boolean | 'joined';
      readonly command: Command | null;
      /**
       * The reason, shown to agents, for storing the message without answering it, whoever sent it; null or absent if it
       * is answered. Together with the command `human`, the conversation is also handed over to an agent.
       */
      readonly parked?: string | null;
      /** Set if the platform expects an answer to this very message. It is then not merged with others into one turn. */
      readonly standsAlone?: true;
      /** Set if the visitor waits for the answer before they say more, as in a call. It is then answered without a pause. */
      readonly isComplete?: true;
    })
  | (MessageFields & { readonly type: 'message-edited'; readonly text: string })
  | (MessageFields & { readonly type: 'message-deleted' })
  /**
   * A visitor's rating of the answer `messageId`, or of the conversation's last answer if `messageId` is null. A `value`
   * of null withdraws the rating.
   */
  | (Omit<MessageFields, 'messageId'> & {
      readonly type: 'feedback';
      readonly messageId: string | null;
      readonly value: 'up' | 'down' | null;
      readonly comment: string | null;
    })
  /** An agent replied in the platform's own inbox. The conversation is then assigned to that agent. */
  | (MessageFields & { readonly type: 'person-replied'; readonly text: string })
  /** The conversation was claimed, released or resolved in the platform's own inbox. */
  | {
      readonly type: 'status-changed';
      readonly conversation: ConversationRef;
      readonly status: 'open' | 'claimed' | 'resolved';
      /** The actor, as the audit log records them. */
      readonly by: string;
    }
  /** A visitor opened the conversation and has not written yet. */
  | { readonly type: 'opened'; readonly conversation: ConversationRef; readonly sender: Sender }
  /** The platform revoked access to the account. An operator must connect it again. */
  | { readonly type: 'account-lost'; readonly because: string }
  /**
   * The preceding message seems to belong to a conversation in another lane of the account in which its sender does not
   * take part. The engine adds a note for agents to both conversations.
   */
  | { readonly type: 'related'; readonly lane: string }
  /** The conversation continues in another place. */
  | { readonly type: 'moved'; readonly from: ConversationRef; readonly to: ConversationRef }
  /** Whether the platform accepts messages in this conversation has changed. */
  | {
      readonly type: 'reachable';
      readonly conversation: ConversationRef;
      readonly reachable: boolean;
      /** The visitor chose this themselves (opt-out or opt-in). Their later messages do not change it. */
      readonly wished?: true;
    }
  /** The visitor requests the parts that were held back under this name: see `OutboundPart.onRequest`. */
  | { readonly type: 'asked-for'; readonly conversation: ConversationRef; readonly what: string }
  /**
   * The platform makes no further request for the parts held under this key (see `PullRequest`), for example because the
   * call ended. The conversation accepts no messages until the visitor returns.
   */
  | {
      readonly type: 'collection-over';
      readonly conversation: ConversationRef;
      readonly key: string;
      readonly because: string;
    }
  /** The fate of a message that the connector sent earlier. */
  | {
      readonly type: 'delivery-reported';
      readonly messageId: string;
      readonly outcome: 'delivered' | 'read' | 'failed';
      readonly because: string | null;
    }
  | { readonly type: 'unsupported'; readonly nativeType: string };

/** A report about a message that the connector sent. */
export type DeliveryReport = Extract<InboundEvent, { type: 'delivery-reported' }>;
