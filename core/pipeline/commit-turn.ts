import { sql, type Transaction } from 'kysely';
import type { Answer } from '../answering/answer.ts';
import type { Json } from '../contract/json.ts';
import type { Recap, Reply } from '../contract/reply.ts';
import { recapConversation } from '../conversations/conversation-memory.ts';
import type { StoredTurn } from '../conversations/turn.ts';
import type { Tables } from '../storage/tables.ts';
import { type HeldLane, LaneLost } from './hold-lane.ts';
import type { VisitorTurn } from './next-step.ts';
import { offerParts } from './offer-parts.ts';
import type { OpenAccount } from './open-account.ts';
import { storedParts } from './stored-parts.ts';
import { turnLanguage } from './turn-language.ts';

/** A person took the conversation over while its answer was made: that is not said any more. */
export class TakenOver extends Error {
  constructor() {
    super('a person took the conversation over');
    this.name = 'TakenOver';
  }
}

interface Committed {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
  readonly now: Date;
  /** What was shown of the answer while it was made; null or absent where nothing was. */
  readonly draft?: Json;
}

const sourcesShown = 3;

/**
 * Stores, in the transaction of an answer, what is to be sent of it and that its events are dealt with: none is without
 * the others. Throws TakenOver and LaneLost.
 */
export async function commitTurn(
  transaction: Transaction<Tables>,
  { held, open, turn, numbers, now, draft = null }: Committed,
  stored: StoredTurn & { readonly answer: Answer },
): Promise<void> {
  const to = turn.conversation;
  const { account, connector, workspaceId } = open;
  const said = replyOf(stored.answer, turn);
  const conversation = { workspaceId, conversationId: stored.conversationId };
  const recap = said.handover ? { recap: await recapOf(transaction, conversation, turn) } : {};
  const reply = { ...said, ...recap, id: stored.messageId };
  const parts = connector.render(reply, to, account);
  const { rows } = await sql<{ outcome: string }>`
    select commit_channel_turn(
      ${held.channelId}, ${held.lane}, ${held.token}, ${workspaceId}, ${stored.conversationId}, ${stored.messageId},
      ${JSON.stringify(to.address)}::jsonb, ${storedParts(parts, draft)}::jsonb, ${[...numbers]}::bigint[], ${now}, ${turn.sentAt}
    ) as outcome
  `.execute(transaction);
  if (rows[0]?.outcome === 'lost') throw new LaneLost();
  if (rows[0]?.outcome === 'taken_over') throw new TakenOver();
  await offerParts(transaction, stored.messageId, parts);
  if (connector.socket !== undefined)
    await noteAnswer(transaction, { held, numbers, messageId: stored.messageId });
}

/** The last is stored with its answer, and as it is kept; told is what was said. */
async function recapOf(
  transaction: Transaction<Tables>,
  conversation: { readonly workspaceId: string; readonly conversationId: string },
  { text }: VisitorTurn,
): Promise<Recap> {
  const { summary, turns } = await recapConversation(transaction, conversation);
  const last = text === '' ? [] : [{ question: text, answer: null }];
  return { summary, turns: [...turns.slice(0, -1), ...last] };
}

/** Who speaks with us over a socket may wait for it elsewhere. */
async function noteAnswer(
  transaction: Transaction<Tables>,
  { held: { channelId }, numbers, messageId }: Pick<Committed, 'held' | 'numbers'> & { messageId: string },
): Promise<void> {
  await transaction
    .updateTable('inbound_event')
    .set({ answer_id: messageId })
    .where('channel_id', '=', channelId)
    .where('number', 'in', [...numbers])
    .execute();
}

/** Near misses are no sources of what is said. */
function replyOf({ text, sources, confidence, skillsFired }: Answer, turn: VisitorTurn): Reply {
  const { messageIds, command } = turn;
  const shown = confidence === 'low' ? [] : sources.slice(0, sourcesShown);
  const distinct = new Map(shown.map(({ documentId, title, url }) => [documentId, { title, url }]));
  const handover = skillsFired.includes('escalate_to_human');
  return {
    author: 'bot',
    text,
    sources: [...distinct.values()],
    replyTo: messageIds.at(-1) ?? null,
    offers: handover || command !== null ? [] : ['feedback', 'human'],
    language: turnLanguage(turn),
    handover,
  };
}
