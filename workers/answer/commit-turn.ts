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

/** A lane that was taken to send in it together with what is to be sent. */
export interface SendingLane {
  readonly token: string;
  readonly next: WaitingPart | null;
}

interface Committing {
  /** What was shown of the answer while it was made; null or absent where nothing was. */
  readonly draft?: Json;
  /** What was said before, as far as it is remembered; absent where nobody needs to know. */
  readonly earlier?: ConversationRecap;
  /** Hears of the lane where nobody else sends in it. */
  readonly sending: (lane: SendingLane) => void;
}

const sourcesShown = 3;

/** Raised by `commit_channel_turn`. */
const leaseLostCode = 'PY001';

const committed = z.object({ sending: z.boolean(), next: nextPartSchema.nullable() });

/**
 * Stores, beside an answer, what is to be sent of it and that its events are dealt with: none is without the others. Comes
 * to TakenOver and LaneLost.
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
      const done = committed.parse(value);
      if (done.sending && token !== null)
        sending({ token, next: done.next && parseWaitingPart(done.next, held) });
    },
  };
}

interface Replying extends Pick<AskedTurn, 'turn' | 'language'> {
  readonly messageId: string;
  readonly earlier: ConversationRecap | undefined;
}

/** Near misses are no sources of what is said. */
function toReply(
  { text, sources, confidence, skillsFired }: Answer,
  { turn, language, messageId, earlier }: Replying,
): Reply {
  const { messageIds, command } = turn;
  const shown = confidence === 'low' ? [] : sources.slice(0, sourcesShown);
  const distinct = new Map(shown.map(({ documentId, title, url }) => [documentId, { title, url }]));
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
