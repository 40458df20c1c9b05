import { createContext, type RefObject, useContext } from 'react';
import type {
  Agent,
  Conversation,
  ConversationChange,
  DraftKind,
  Place,
} from '../../../api/queries/conversation.ts';
import type { WithReply } from '../composer/outbox.ts';

/** The calls of other parts of the screen to the composer. */
export interface ComposerHandle {
  readonly focus: (kind: DraftKind) => void;
  /** Adds a text at the end of the reply, with the changes of a snippet. */
  readonly insert: (text: string, actions?: WithReply) => void;
}

/** The open conversation, as its parts share it. */
export interface Desk {
  readonly place: Place;
  readonly head: Conversation;
  /** The name of the customer, or “Visitor”. */
  readonly name: string;
  readonly channelName: string;
  readonly mayReply: boolean;
  readonly agents: readonly Agent[];
  /** The signed-in person. */
  readonly me: { readonly id: string; readonly name: string };
  /** Changes the conversation and offers an undo. A failure is shown below the header. */
  readonly change: (change: ConversationChange, done: string) => void;
  /** Shows another failure below the header. */
  readonly fail: (error: unknown) => void;
  /** Call it with each key press in the composer. */
  readonly tellWriting: () => void;
  readonly composer: RefObject<ComposerHandle | null>;
  /** Opens the next conversation of the list, or none if this is the last one. */
  readonly openNext: () => void;
}

export const DeskContext = createContext<Desk | null>(null);

/** The open conversation. Only below `Conversation`. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new ReferenceError('useDesk is for parts of the conversation.');
  return desk;
}

/** The name of a person in audit entries and replies: by name or by address. */
export function nameOf(agents: readonly Agent[], actor: string): string {
  return agents.find(({ id, email }) => id === actor || email === actor.toLowerCase())?.name ?? actor;
}
