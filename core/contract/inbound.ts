import type { ConversationRef, Json } from './account.ts';

/** One event of the platform, as it is stored: interpreted later, so that a mistake in that can be repaired. */
export interface Delivery {
  /** The same whenever the platform sends it again. */
  readonly id: string;
  readonly lane: string;
  readonly native: Json;
  /** The event belongs to several that come one by one: the lane waits so long for the rest. Absent: not at all. */
  readonly settleMs?: number;
  /** It is ours only with what it may have overtaken: a lane that has heard of nothing yet waits so long for that. */
  readonly settleIfFirstMs?: number;
  /** The platform waits to be told that it was heard, as it does of a button: see `facets.acknowledge`. */
  readonly acknowledge?: true;
  /**
   * Whose it is, where one account of ours serves several of the platform's: a team, a guild, an app's customer. It goes to
   * the account that is this tenant's, and from then on only that one is asked about it.
   */
  readonly tenant?: string;
  /** What `recall` is to tell later, stored with the delivery. */
  readonly remember?: readonly RememberedValue[];
}

/** What is kept of a channel for as long as it exists; a later one replaces an earlier one of the same key. */
export interface RememberedValue {
  readonly key: string;
  readonly value: Json;
}

/** Who wrote something on the platform. What the platform vouches for may be kept of him. */
export interface Sender {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** ISO 639-1, of the platform's own screens for him; null where it does not tell. */
  readonly language: string | null;
  /** `self`: this account. `machine`: another bot, a mailing list, an automatic reply. */
  readonly kind: 'person' | 'machine' | 'self';
}

/** A file that came with a message. It is not fetched. */
export interface Attachment {
  readonly kind: 'image' | 'audio' | 'video' | 'file' | 'other';
  readonly name: string | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  /** The platform's own reference. */
  readonly reference: string;
  /** It belongs to how the message looks, as a sticker or a logo does: nobody waits for a word about it. */
  readonly incidental?: boolean;
}

/** What a visitor wants of us beside an answer, where the platform has a form of its own for it. */
export type Command =
  | 'start'
  | 'human'
  | 'help'
  /** The rest of an answer; an ordinary word where there is no rest. */
  | 'more'
  /** We may write to him again who did not want it; an ordinary word of everybody else. */
  | 'resume';

interface MessageFields {
  readonly conversation: ConversationRef;
  readonly sentAt: Date;
  readonly sender: Sender;
  readonly messageId: string;
}

/** What happened on the platform. */
export type InboundEvent =
  | (MessageFields & {
      readonly type: 'message';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      /**
       * Whether it is said to us: always in a direct conversation, in a group where we are named or replied to. `joined`:
       * where we take part in the conversation already.
       */
      readonly addressed: boolean | 'joined';
      readonly command: Command | null;
      /**
       * Why it is kept and not answered, whoever wrote it, for the person who reads it; null or absent where it is answered.
       * With the command `human` a person is to look at it.
       */
      readonly parked?: string | null;
      /** The platform waits for an answer to this very message: it is not taken together with others. */
      readonly standsAlone?: true;
    })
  | (MessageFields & { readonly type: 'message-edited'; readonly text: string })
  | (MessageFields & { readonly type: 'message-deleted' })
  /**
   * What a visitor thinks of an answer of ours, `messageId`, or of the last one of the conversation where that is null; a
   * `value` of null takes it back.
   */
  | (Omit<MessageFields, 'messageId'> & {
      readonly type: 'feedback';
      readonly messageId: string | null;
      readonly value: 'up' | 'down' | null;
      readonly comment: string | null;
    })
  /** A person of the workspace wrote in the platform's own inbox: the conversation is his. */
  | (MessageFields & { readonly type: 'person-replied'; readonly text: string })
  /** It was given to a person there, taken back or ended. */
  | {
      readonly type: 'status-changed';
      readonly conversation: ConversationRef;
      readonly status: 'open' | 'claimed' | 'resolved';
      /** Who did it, as the audit log is to have it. */
      readonly by: string;
    }
  /** A visitor looks at the conversation, and has said nothing yet. */
  | { readonly type: 'opened'; readonly conversation: ConversationRef; readonly sender: Sender }
  /** The platform has thrown us out of the account: it has to be connected again. */
  | { readonly type: 'account-lost'; readonly because: string }
  /**
   * What was just said seems to belong to the conversation in another lane of the account, in which whoever said it takes
   * no part: those who read the two are told.
   */
  | { readonly type: 'related'; readonly lane: string }
  /** The conversation goes on elsewhere from now on. */
  | { readonly type: 'moved'; readonly from: ConversationRef; readonly to: ConversationRef }
  /** Nothing can be sent there any more, or again. */
  | {
      readonly type: 'reachable';
      readonly conversation: ConversationRef;
      readonly reachable: boolean;
      /** The visitor said so himself: it is so until he says otherwise, whatever else he writes. */
      readonly wished?: true;
    }
  /** The visitor wants what was kept for him under this word: see `onRequest` of a part. */
  | { readonly type: 'asked-for'; readonly conversation: ConversationRef; readonly what: string }
  /** Nobody comes any more for what is kept under this key: see Collection. Nothing can be said there until he is back. */
  | {
      readonly type: 'collection-over';
      readonly conversation: ConversationRef;
      readonly key: string;
      readonly because: string;
    }
  | {
      readonly type: 'delivery-reported';
      readonly messageId: string;
      readonly outcome: 'delivered' | 'read' | 'failed';
      readonly because: string | null;
    }
  | { readonly type: 'unsupported'; readonly nativeType: string };

/** What became of a message of ours. */
export type DeliveryReport = Extract<InboundEvent, { type: 'delivery-reported' }>;
