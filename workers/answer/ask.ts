import { answerOutcome, ask, cannedTurn } from '../../core/answering/ask.ts';
import type { AskRequest } from '../../core/answering/ask-request.ts';
import { isSkillEnabled } from '../../core/answering/skills/built-in-skills.ts';
import { AppError } from '../../core/base/errors.ts';
import { toBotReply } from '../../core/channels/bot-reply.ts';
import { disclosureText, isDisclosureDue } from '../../core/channels/disclosure.ts';
import { LaneLeaseLost } from '../../core/channels/inbound/lane.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { loadLaneWork } from '../../core/channels/inbound/lane-work.ts';
import { nextPartSchema, parseWaitingPart, toStoredParts } from '../../core/channels/outbound/outbox.ts';
import { channelTurnCompanion } from '../../core/channels/outbound/sent-batches.ts';
import type { Json } from '../../core/contract/account.ts';
import type { Answer } from '../../core/contract/answer.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import type { ConversationRecap, Reply } from '../../core/contract/outbound.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import {
  HumanTakeoverError,
  isHumanTakeoverError,
  type StoredTurn,
} from '../../core/conversations/messages/turn.ts';
import { chooseLanguage } from '../../core/language/language.ts';
import { type Reservation, withReservedMessage } from '../../core/limits/quota.ts';
import type { Companion } from '../../core/storage/companion.ts';
import { raisesError } from '../../core/storage/sql-errors.ts';
import { Drafting } from './drafting.ts';
import type { AskedTurn, TurnEnd } from './plan-turn.ts';

/**
 * Asks the engine and stores the answer together with its outbound parts. Each answer counts against the
 * monthly quota of the workspace's owner, except for handovers to a person. The quota is reserved before the
 * engine is asked if it may run out, otherwise it is counted with the answer. If the quota is exhausted, the
 * visitor is handed over to a person. Throws what `ask` throws, and `quota_exhausted` if the handover skill is disabled.
 */
export async function askInChannel(
  dependencies: LaneDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<TurnEnd> {
  const { quota, log } = dependencies;
  const { workspace } = request;
  const askWithSkill = (skill: string | undefined, countedFor?: Reservation) =>
    askWithDraft(dependencies, asked, { ...request, skill, countedFor });
  if (request.skill === humanSkill) return askWithSkill(humanSkill);
  const reservation = quota.reserveUnlimited(workspace.owner, workspace.plan);
  if (reservation !== null) return askWithSkill(undefined, reservation);
  try {
    return await withReservedMessage(quota, workspace, () => askWithSkill(undefined));
  } catch (error) {
    const isUsedUp = error instanceof AppError && error.code === 'quota_exhausted';
    if (!isUsedUp || !isSkillEnabled(workspace.settings, humanSkill)) throw error;
    log.warn({ workspace: workspace.id }, 'message quota exhausted; conversations go to agents');
    return askWithSkill(humanSkill);
  }
}

/** Streams a draft of the answer to the platform if the channel supports it and the workspace enables it. */
async function askWithDraft(
  dependencies: LaneDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<TurnEnd> {
  const { clock, spans } = dependencies;
  const { held, live } = asked;
  const drafting = await Drafting.open(dependencies, asked);
  let draft: Json = null;
  let disclosure: string | null = null;
  let queued = nothingQueued;
  const onStored = (parts: QueuedParts) => {
    queued = parts;
  };
  try {
    const result = await ask(dependencies, request, {
      signal: AbortSignal.any([held.signal, held.takenOver, ...(live === undefined ? [] : [live.signal])]),
      listener: live === undefined ? drafting?.listener : { stage() {}, token: live.onText },
      whole: async () => {
        await checkHumanTakeover(dependencies, asked);
        draft = (await drafting?.end()) ?? null;
      },
      disclose: (answer) => {
        disclosure = findDueDisclosure(asked, answer, clock.now());
        return disclosure;
      },
      beside: (result, { turns, summary }) => {
        const earlier = { turns, summary };
        return commitTurn(asked, { draft, earlier, disclosure, onStored }, result);
      },
      parent: spans?.rootOf({ channelId: held.channelId, eventId: asked.eventId }),
      goesOn: true,
    });
    const { messageId, conversationId } = result;
    return { outcome: answerOutcome(result), messageId, conversationId, ...queued };
  } catch (error) {
    // A retry continues the draft that is already visible.
    if (!asked.mayRetry || error instanceof HumanTakeoverError) await drafting?.discard();
    else await drafting?.end();
    throw error;
  }
}

type Dependencies = Pick<LaneDependencies, 'database' | 'clock'>;

/**
 * Checks for a takeover right before an answer is stored, for platforms with their own inbox: events from that
 * inbox wait in the lane behind the turn being answered. Throws HumanTakeoverError if an agent has taken the
 * conversation.
 */
async function checkHumanTakeover(
  { database, clock }: Dependencies,
  { held, open, numbers }: Pick<AskedTurn, 'held' | 'open' | 'numbers'>,
): Promise<void> {
  const { connector, account } = open;
  if (!connector.about.abilities.includes('inbox')) return;
  const work = await loadLaneWork(database.kysely, held, clock.now());
  const waitingEvents = (work?.events ?? [])
    .filter(({ number }) => !numbers.includes(number))
    .flatMap(({ native, receivedAt }) => connector.open(account).normalise(native, receivedAt));
  if (isTakenOver(waitingEvents)) throw new HumanTakeoverError();
}

/** The last event decides, because an agent can take a conversation and return it. Pure. */
function isTakenOver(events: readonly InboundEvent[]): boolean {
  const last = events.findLast(({ type }) => type === 'person-replied' || type === 'status-changed');
  return last !== undefined && !(last.type === 'status-changed' && last.status === 'open');
}

/** Stores and queues a fixed text without asking the engine. */
export async function sendCannedReply(
  { conversations, clock }: LaneDependencies,
  asked: AskedTurn,
  { request, text, outcome }: CannedReply,
): Promise<TurnEnd> {
  const canned = cannedTurn(request, text);
  const { answer } = canned;
  const disclosure = findDueDisclosure(asked, answer, clock.now());
  let queued = nothingQueued;
  const onStored = (parts: QueuedParts) => {
    queued = parts;
  };
  const { messageId, conversationId } = await conversations.storeTurn({ ...canned, disclosure }, (stored) =>
    commitTurn(asked, { disclosure, onStored }, { ...stored, answer }),
  );
  return { outcome, messageId, conversationId, ...queued };
}

interface CannedReply {
  readonly request: AskRequest;
  readonly text: string;
  /** `failed`: the text says that something went wrong. */
  readonly outcome: 'answered' | 'failed';
}

/** The parts of an answer that wait to be sent. */
type QueuedParts = Required<Pick<TurnEnd, 'next' | 'parts'>>;

const nothingQueued: QueuedParts = { next: null, parts: 0 };

interface Committing {
  /** State of the draft shown while the answer was generated. Null or absent if no draft was shown. */
  readonly draft?: Json;
  /** Earlier turns and summary, for a recap on handover. */
  readonly earlier?: ConversationRecap;
  /** The sentence that a machine answers. Null if it is not due. */
  readonly disclosure: string | null;
  readonly onStored: (queued: QueuedParts) => void;
}

/** SQLSTATE raised by `commit_channel_turn`. */
const leaseLostCode = 'PY001';

/**
 * Returns the companion that stores an answer's outbound parts and marks its events as handled in the same
 * statement as the answer. It maps database errors to HumanTakeoverError and LaneLeaseLost.
 */
function commitTurn(
  asked: AskedTurn,
  { draft = null, earlier, disclosure, onStored }: Committing,
  { answer, messageId }: Pick<StoredTurn, 'messageId'> & { readonly answer: Answer },
): Companion {
  const { held, open, turn, numbers, eventId, language } = asked;
  const to = turn.conversation;
  const { account, connector } = open;
  const reply = toReply(answer, { turn, language, messageId, earlier, disclosure });
  const rendered = connector.open(account).render(reply, to);
  const parts = toStoredParts(rendered, { draft, event: eventId });
  return {
    kind: channelTurnCompanion,
    values: {
      channel_id: held.channelId,
      lane: held.lane,
      lane_token: held.token,
      address: to.address,
      parts,
      events: numbers,
      said_at: turn.sentAt.toISOString(),
      discloses: disclosure !== null,
    },
    errorOf: (error) => {
      if (raisesError(error, leaseLostCode)) return new LaneLeaseLost();
      return isHumanTakeoverError(error) ? new HumanTakeoverError() : error;
    },
    stored: (value) => {
      const next = nextPartSchema.nullable().parse(value);
      onStored({
        next: next && parseWaitingPart(next, held),
        parts: parts.filter(({ status }) => status === 'waiting').length,
      });
    },
  };
}

interface Replying extends Pick<AskedTurn, 'turn' | 'language'>, Pick<Committing, 'disclosure'> {
  readonly messageId: string;
  readonly earlier: ConversationRecap | undefined;
}

/** Returns the sentence that a machine answers, if this answer begins with it, otherwise null. Pure. */
function findDueDisclosure(
  { open, workspace, conversation, turn }: AskedTurn,
  { text }: Answer,
  now: Date,
): string | null {
  if (!isDisclosureDue({ about: open.connector.about, conversation, now })) return null;
  // A visitor's `ok` tells no language, but the answer to it does.
  return disclosureText(workspace.settings, chooseLanguage([turn.text, text], [turn.sender.language]));
}

function toReply(answer: Answer, { turn, language, messageId, earlier, disclosure }: Replying): Reply {
  const { messageIds, command } = turn;
  const reply = toBotReply(answer, {
    ...{ id: messageId, language, disclosure, offers: command === null },
    replyTo: messageIds.at(-1) ?? null,
  });
  return {
    ...reply,
    ...(reply.handover && earlier !== undefined && { recap: recapUntil(turn, earlier) }),
  };
}

function recapUntil({ text }: AskedTurn['turn'], { summary, turns }: ConversationRecap): ConversationRecap {
  return { summary, turns: text === '' ? turns : [...turns, { question: text, answer: null }] };
}
