import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import type { HeldLane } from '../../core/channels/inbound/lane.ts';
import type { LaneConversation } from '../../core/channels/inbound/lane-conversation.ts';
import type { WaitingPart } from '../../core/channels/outbound/outbox.ts';
import type { ConversationRef } from '../../core/contract/account.ts';
import type { Attachment, Command, InboundEvent, Sender } from '../../core/contract/inbound.ts';
import type { MessageOutcome } from '../../core/contract/trace/message-end.ts';
import { chooseLanguage } from '../../core/language/language.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';

/** An event of a lane with its row number in `inbound_event`. */
export interface NumberedEvent {
  readonly number: string;
  readonly event: InboundEvent;
}

/** One or several consecutive messages of a visitor that are answered together. */
export interface VisitorTurn {
  readonly kind: 'turn';
  readonly conversation: ConversationRef;
  readonly sender: Sender;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly command: Command | null;
  /** Time of the last message. */
  readonly sentAt: Date;
  /** Reason to store the turn without an answer. Null if it is answered. */
  readonly parked: string | null;
  /** True if no further message is expected before the answer. */
  readonly isComplete: boolean;
  /** The platform's message ids, oldest first. */
  readonly messageIds: readonly string[];
  /** The text of each message, in the order of `messageIds`. */
  readonly texts: readonly string[];
}

/** The next action in a lane, and the numbers of the events that it handles. */
export interface Step {
  readonly numbers: readonly string[];
  readonly action: VisitorTurn | Exclude<InboundEvent, { type: 'message' }> | null;
}

type Message = Extract<InboundEvent, { type: 'message' }>;

/**
 * Sorts consecutive messages by the time they were sent, because platforms may deliver them out of order. Other
 * events, such as edits, keep their place. Pure.
 */
export function sortBySentTime(events: readonly NumberedEvent[]): readonly NumberedEvent[] {
  const ordered: NumberedEvent[] = [];
  let run: NumberedEvent[] = [];
  const endRun = () => {
    ordered.push(...run.sort((one, other) => sentTime(one) - sentTime(other)));
    run = [];
  };
  for (const event of events) {
    if (event.event.type === 'message') run.push(event);
    else {
      endRun();
      ordered.push(event);
    }
  }
  endRun();
  return ordered;
}

function sentTime({ event }: NumberedEvent): number {
  return event.type === 'message' ? event.sentAt.getTime() : 0;
}

/**
 * Returns the first action for the waiting events: consecutive messages form one turn, a command is a turn of
 * its own, and messages not addressed to the bot are skipped. `isJoined` tells whether the bot takes part in
 * the conversation. Pure.
 */
export function planTurn(events: readonly NumberedEvent[], isJoined: boolean): Step {
  const numbers: string[] = [];
  const messages: Message[] = [];
  for (const { number, event } of events) {
    const isSkipped =
      event.type === 'unsupported' ||
      (event.type === 'message' && !isAddressedToBot(event, isJoined || messages.length > 0));
    const editedMessages = applyEdit(messages, event);
    if (editedMessages !== null) messages.splice(0, messages.length, ...editedMessages);
    else if (!isSkipped && messages.length > 0 && !isSameTurn(messages, event)) break;
    numbers.push(number);
    if (isSkipped || editedMessages !== null) continue;
    if (event.type !== 'message') return { numbers, action: event };
    messages.push(event);
  }
  return { numbers: unique(numbers), action: messages.length === 0 ? null : toVisitorTurn(messages) };
}

/**
 * Applies an edit or deletion to messages that are not answered yet. Null if the event does not change any of
 * them.
 */
function applyEdit(messages: readonly Message[], event: InboundEvent): readonly Message[] | null {
  if (event.type !== 'message-edited' && event.type !== 'message-deleted') return null;
  if (!messages.some(({ messageId }) => messageId === event.messageId)) return null;
  return event.type === 'message-edited'
    ? messages.map((one) => (one.messageId === event.messageId ? { ...one, text: event.text } : one))
    : messages.filter(({ messageId }) => messageId !== event.messageId);
}

/**
 * The bot never answers itself, other bots, or messages between people in a group. Messages that are stored
 * without an answer may come from bots.
 */
function isAddressedToBot({ sender, addressed, parked }: Message, isJoined: boolean): boolean {
  if (parked != null) return sender.kind !== 'self';
  return sender.kind === 'person' && (addressed === 'joined' ? isJoined : addressed);
}

function isSameTurn(messages: readonly Message[], event: InboundEvent): boolean {
  const [first] = messages;
  return (
    event.type === 'message' &&
    first !== undefined &&
    first.command === null &&
    event.command === null &&
    first.standsAlone === undefined &&
    event.standsAlone === undefined &&
    (first.parked ?? null) === (event.parked ?? null) &&
    first.sender.id === event.sender.id
  );
}

function toVisitorTurn(messages: readonly Message[]): VisitorTurn | null {
  const last = messages.at(-1);
  if (last === undefined) return null;
  return {
    kind: 'turn',
    conversation: last.conversation,
    sender: last.sender,
    text: messages
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .join('\n'),
    attachments: messages.flatMap(({ attachments }) => attachments),
    command: last.command,
    sentAt: last.sentAt,
    parked: last.parked ?? null,
    isComplete: last.isComplete === true || last.standsAlone === true,
    messageIds: messages.map(({ messageId }) => messageId),
    texts: messages.map(({ text }) => text.trim()),
  };
}

/** One delivery can contain several events. */
function unique(numbers: readonly string[]): readonly string[] {
  return [...new Set(numbers)];
}

/** A visitor's turn with everything needed to answer it. */
export interface AskedTurn {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly workspace: Workspace;
  /** The open conversation of the lane. Null if this turn starts one. */
  readonly conversation: LaneConversation | null;
  /** Language of the texts for the visitor, ISO 639-1. */
  readonly language: string;
  readonly numbers: readonly string[];
  /** The platform's id of the first of these events. */
  readonly eventId: string;
  /** True if another attempt follows a failure. */
  readonly mayRetry: boolean;
  /** The client that receives the answer while it is generated. */
  readonly live?: LiveListener | undefined;
}

/** The result of a turn that was handled. */
export interface TurnEnd {
  readonly outcome: MessageOutcome;
  /** The answer; the visitor's message if there is none. Null if neither was stored. */
  readonly messageId: string | null;
  readonly conversationId: string | null;
  /** The number of the answer's parts that wait to be sent. */
  readonly parts: number;
  /** The lane's first part to send, null if none waits. Absent if the turn was not answered. */
  readonly next?: WaitingPart | null;
}

/** A client that receives an answer while it is generated. */
export interface LiveListener {
  /** Number of the client's event in its lane. */
  readonly number: string;
  readonly onText: (piece: string) => void;
  /** If aborted with an Interruption, the answer generated so far is stored. */
  readonly signal: AbortSignal;
}

/** Returns the language of the visitor's text, or of their device if the text is too short. ISO 639-1. */
export function findTurnLanguage({ text, sender }: VisitorTurn): string {
  return chooseLanguage([text], [sender.language]);
}

/** Returns the visitor's words with what their pictures show; undefined if they show nothing. */
export function readingOf({ text, attachments }: VisitorTurn): string | undefined {
  const shown = attachments.flatMap(({ description }) => description ?? []);
  return shown.length === 0 ? undefined : [text, ...shown].filter((piece) => piece !== '').join('\n');
}

/** Returns whether an attachment needs a reply that says that it was not read. */
export function isUnread({ incidental, transcript, description }: Attachment): boolean {
  return incidental !== true && transcript === undefined && description === undefined;
}
