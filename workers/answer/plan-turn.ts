import type { OpenAccount } from '../../core/channels/channel-account.ts';
import type { ConversationRef } from '../../core/contract/account.ts';
import type { Attachment, Command, InboundEvent, Sender } from '../../core/contract/inbound.ts';
import type { HeldLane } from '../../core/inbound/lane.ts';
import type { LaneConversation } from '../../core/inbound/lane-conversation.ts';
import { detectLanguage } from '../../core/knowledge/text/language.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';

/** Something that happened in a lane, with the number that it is stored under. */
export interface NumberedEvent {
  readonly number: string;
  readonly event: InboundEvent;
}

/** What a visitor said, in one message or in several that came together. */
export interface VisitorTurn {
  readonly kind: 'turn';
  readonly conversation: ConversationRef;
  readonly sender: Sender;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly command: Command | null;
  /** The last of it. */
  readonly sentAt: Date;
  /** Why it is kept and not answered; null where it is answered. */
  readonly parked: string | null;
  /** The platform's, oldest first. */
  readonly messageIds: readonly string[];
  /** Of each of these messages. */
  readonly texts: readonly string[];
}

/** The next thing to do in a lane, and the events that it deals with. */
export interface Step {
  readonly numbers: readonly string[];
  readonly does: VisitorTurn | Exclude<InboundEvent, { type: 'message' }> | null;
}

type Message = Extract<InboundEvent, { type: 'message' }>;

/**
 * What was said one after the other in the order in which it was, which is not always that in which it came; all else, such
 * as an edit, keeps its place between. Pure.
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
 * The first thing to do of what happened: messages that stand one after the other are one turn, a command stands alone,
 * and what nobody said to us is passed over.
 * `isJoined`: whether we take part in the conversation. Pure.
 */
export function planTurn(events: readonly NumberedEvent[], isJoined: boolean): Step {
  const numbers: string[] = [];
  const said: Message[] = [];
  for (const { number, event } of events) {
    const isPassedOver =
      event.type === 'unsupported' ||
      (event.type === 'message' && !isAddressedToBot(event, isJoined || said.length > 0));
    const changed = applyEdit(said, event);
    if (changed !== null) said.splice(0, said.length, ...changed);
    else if (!isPassedOver && said.length > 0 && !belongsTo(said, event)) break;
    numbers.push(number);
    if (isPassedOver || changed !== null) continue;
    if (event.type !== 'message') return { numbers, does: event };
    said.push(event);
  }
  return { numbers: unique(numbers), does: said.length === 0 ? null : toVisitorTurn(said) };
}

/** What was said, where an event edits or deletes some of it before it is answered; null where it does not. */
function applyEdit(said: readonly Message[], event: InboundEvent): readonly Message[] | null {
  if (event.type !== 'message-edited' && event.type !== 'message-deleted') return null;
  if (!said.some(({ messageId }) => messageId === event.messageId)) return null;
  return event.type === 'message-edited'
    ? said.map((one) => (one.messageId === event.messageId ? { ...one, text: event.text } : one))
    : said.filter(({ messageId }) => messageId !== event.messageId);
}

/**
 * Never answers itself, other machines, or what people of a group say to one another. What is kept and not answered may
 * be a machine's.
 */
function isAddressedToBot({ sender, addressed, parked }: Message, isJoined: boolean): boolean {
  if (parked != null) return sender.kind !== 'self';
  return sender.kind === 'person' && (addressed === 'joined' ? isJoined : addressed);
}

function belongsTo(said: readonly Message[], event: InboundEvent): boolean {
  const [first] = said;
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

function toVisitorTurn(said: readonly Message[]): VisitorTurn | null {
  const last = said.at(-1);
  if (last === undefined) return null;
  return {
    kind: 'turn',
    conversation: last.conversation,
    sender: last.sender,
    text: said
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .join('\n'),
    attachments: said.flatMap(({ attachments }) => attachments),
    command: last.command,
    sentAt: last.sentAt,
    parked: last.parked ?? null,
    messageIds: said.map(({ messageId }) => messageId),
    texts: said.map(({ text }) => text.trim()),
  };
}

/** One delivery may hold several events. */
function unique(numbers: readonly string[]): readonly string[] {
  return [...new Set(numbers)];
}

/** What a visitor said, on its way to an answer. */
export interface AskedTurn {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly workspace: Workspace;
  /** The one that goes on; null where this begins one. */
  readonly conversation: LaneConversation | null;
  /** ISO 639-1, of what the visitor is to read. */
  readonly language: string;
  readonly numbers: readonly string[];
  /** Whether another try is still to come, should this one fail. */
  readonly mayRetry: boolean;
  /** Who hears the answer while it is made, if anybody does. */
  readonly live?: LiveListener | undefined;
}

/** Somebody who hears an answer while it is made. */
export interface LiveListener {
  /** The event that he told, in his lane. */
  readonly number: string;
  readonly onText: (piece: string) => void;
  /** Aborted with an Interruption, what there is of the answer is kept. */
  readonly signal: AbortSignal;
}

/** ISO 639-1: of a visitor's words where they tell it, else of his screen. */
export function findTurnLanguage({ text, sender }: VisitorTurn): string {
  const { code } = detectLanguage(text);
  return code === 'und' ? (sender.language ?? 'en') : code;
}
