import type { ConversationRef } from './connector.ts';

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
}

/** What a visitor wants of us beside an answer, where the platform has a form of its own for it. */
export type Command = 'start' | 'human' | 'help';

interface Said {
  readonly conversation: ConversationRef;
  readonly sentAt: Date;
  readonly sender: Sender;
  readonly messageId: string;
}

/** What happened on the platform. */
export type InboundEvent =
  | (Said & {
      readonly type: 'message';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      /** Whether it is said to us: always in a direct conversation, in a group where we are named or replied to. */
      readonly addressed: boolean;
      readonly command: Command | null;
    })
  | (Said & { readonly type: 'message-edited'; readonly text: string })
  | (Said & { readonly type: 'message-deleted' })
  /** The conversation goes on elsewhere from now on. */
  | { readonly type: 'moved'; readonly from: ConversationRef; readonly to: ConversationRef }
  /** Nothing can be sent there any more, or again. */
  | { readonly type: 'reachable'; readonly conversation: ConversationRef; readonly reachable: boolean }
  | {
      readonly type: 'delivery-reported';
      readonly messageId: string;
      readonly outcome: 'delivered' | 'read' | 'failed';
      readonly because: string | null;
    }
  | { readonly type: 'unsupported'; readonly nativeType: string };
