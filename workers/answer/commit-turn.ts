import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../../core/answering/answer.ts';
import type { Json } from '../../core/contract/account.ts';
import type { ConversationRecap, Reply } from '../../core/contract/outbound.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import {
  type Companion,
  HumanTakeoverError,
  isHumanTakeoverError,
  type StoredTurn,
} from '../../core/conversations/turn.ts';
import { LaneLeaseLost } from '../../core/inbound/lane.ts';
import {
  hasPartsToSend,
  nextPartSchema,
  parseWaitingPart,
  toStoredParts,
  type WaitingPart,
} from '../../core/outbound/outbox.ts';
import { channelTurnCompanion } from '../../core/outbound/sent-batches.ts';
import { raisesError } from '../../core/storage/sql-errors.ts';
import type { AskedTurn } from './plan-turn.ts';

/** A lane whose sending lease was acquired together with the queued parts. */
export interface SendingLane {
  readonly token: string;
  readonly next: WaitingPart | null;
}

interface Committing {
  /** State of the draft shown while the answer was generated. Null or absent if no draft was shown. */
  readonly draft?: Json;
  /** Earlier turns and summary, for a recap on handover. */
  readonly earlier?: ConversationRecap;
  /** Called if the sending lease was acquired. */
  readonly sending: (lane: SendingLane) => void;
}

const MAX_SOURCES = 3;

/** SQLSTATE raised by `commit_channel_turn`. */
const leaseLostCode = 'PY001';

const committed = z.object({ sending: z.boolean(), next: nextPartSchema.nullable() });

/**
 * Returns the companion that stores an answer's outbound parts and marks its events as handled in the same
 * statement as the answer. Maps database errors to HumanTakeoverError and LaneLeaseLost.
 */
export function commitTurn(
  { held, open, turn, numbers, language }: AskedTurn,
  { draft = null, earlier, sending }: Committing,
  { answer, messageId }: Pick<StoredTurn, 'messageId'> & { readonly answer: Answer },
): Companion {
  const to = turn.conversation;
  const { account, connector } = open;
  const reply = toReply(answer, { turn, language, messageId, earlier });
  const parts = connector.render(reply, to, account);
  const token = hasPartsToSend(parts) ? randomUUID() : null;
  return {
    kind: channelTurnCompanion,
    values: {
      channel_id: held.channelId,
      lane: held.lane,
      lane_token: held.token,
      sending_token: token,
      address: to.address,
      parts: toStoredParts(parts, draft),
      events: numbers,
      said_at: turn.sentAt.toISOString(),
    },
    errorOf: (error) => {
      if (raisesError(error, leaseLostCode)) return new LaneLeaseLost();
      return isHumanTakeoverError(error) ? new HumanTakeoverError() : error;
    },
    stored: (value) => {
      const result = committed.parse(value);
      if (result.sending && token !== null)
        sending({ token, next: result.next && parseWaitingPart(result.next, held) });
    },
  };
}

interface Replying extends Pick<AskedTurn, 'turn' | 'language'> {
  readonly messageId: string;
  readonly earlier: ConversationRecap | undefined;
}

/** Answers with low confidence show no sources. */
function toReply(
  { text, sources, confidence, skillsFired }: Answer,
  { turn, language, messageId, earlier }: Replying,
): Reply {
  const { messageIds, command } = turn;
  const cited = confidence === 'low' ? [] : sources.slice(0, MAX_SOURCES);
  const distinct = new Map(cited.map(({ documentId, title, url }) => [documentId, { title, url }]));
  const handover = skillsFired.includes(humanSkill);
  return {
    id: messageId,
    author: 'bot',
    text,
    sources: [...distinct.values()],
    replyTo: messageIds.at(-1) ?? null,
    offers: handover || command !== null ? [] : ['feedback', 'human'],
    language,
    handover,
    ...(handover && earlier !== undefined && { recap: recapUntil(turn, earlier) }),
  };
}

function recapUntil({ text }: AskedTurn['turn'], { summary, turns }: ConversationRecap): ConversationRecap {
  return { summary, turns: text === '' ? turns : [...turns, { question: text, answer: null }] };
}
