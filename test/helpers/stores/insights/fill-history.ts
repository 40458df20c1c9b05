import { type Kysely, sql } from 'kysely';
import { extractSearchTerms } from '../../../../core/conversations/messages/messages.ts';
import type { Tables } from '../../../../core/storage/tables/tables.ts';
import { type Dice, throwDice } from '../../day/dice.ts';

interface History {
  readonly workspaceId: string;
  readonly conversations: number;
  /** They begin on the days before it, at random times. */
  readonly before: Date;
  readonly days: number;
  readonly channels?: readonly string[];
  /** Ids of documents that answers rest on. */
  readonly documents?: readonly string[];
}

interface Unsaid {
  readonly role: 'user' | 'assistant' | 'agent';
  readonly content: string;
  readonly [column: string]: unknown;
}

interface MessageRow extends Unsaid {
  readonly created_at: Date;
}

const hour = 3_600_000;
const questions = [
  'How long does the delivery of a parcel to France take?',
  'Wie lange habe ich Zeit, eine Kiste zurückzugeben?',
  'Can I skip a box in December without cancelling it?',
  'Combien de temps faut-il pour recevoir un remboursement ?',
  'Is the shop in Lisbon open on a Saturday afternoon?',
];

/** A random history of conversations by SQL, always the same for a workspace: with answers, hand-overs, thumbs and returns. */
export async function fillHistory(database: Kysely<Tables>, history: History): Promise<void> {
  const dice = throwDice(8);
  const numbers = Array.from({ length: history.conversations }, (_, number) => number);
  for (let at = 0; at < numbers.length; at += 500) {
    const made = numbers.slice(at, at + 500).map((number) => makeConversation(dice, history, number));
    await insertAll(database, made);
  }
}

function makeConversation(dice: Dice, { workspaceId, before, days, ...history }: History, number: number) {
  const id = `conv_${workspaceId.slice(3)}${number}`;
  const channel = dice.pick(history.channels ?? ['api', 'widget', 'email']);
  let at = before.getTime() - Math.floor(((dice.below(1_000) + 1) / 1_000) * days * 24 * hour);
  const startedAt = new Date(at);
  const messages: MessageRow[] = [];
  const changes: object[] = [];
  const change = (from: string, to: string) =>
    changes.push({
      ...{ id: `evt_${id}${changes.length}`, workspace_id: workspaceId, conversation_id: id },
      ...{ action: 'status_changed', actor: 'test', at: new Date(at), details: { from, to } },
    });
  const add = (row: Unsaid) => messages.push({ ...row, created_at: new Date(at) });
  const turns = 1 + dice.below(4);
  for (let turn = 0; turn < turns; turn++) {
    at += dice.pick([30_000, 90_000, 600_000, dice.below(20) === 0 ? 60 * hour : 45_000]);
    const content = dice.pick(questions);
    add({ role: 'user', content, terms: [...extractSearchTerms(workspaceId, content)] });
    add(makeAnswer(dice, history.documents ?? [], new Date(at)));
  }
  if (dice.below(8) === 0) {
    change('open', 'escalated');
    if (dice.below(4) > 0) {
      at += dice.below(60) * 60_000;
      add({ role: 'agent', content: 'I have looked into it.' });
      change('escalated', 'claimed');
      at += dice.below(60) * 60_000;
      if (dice.below(2) === 0) change('claimed', 'resolved');
    }
  }
  const conversation = {
    ...{ id, workspace_id: workspaceId, channel, status: 'open', customer_name: `Visitor ${number}` },
    ...{ started_at: startedAt, last_message_at: new Date(at), updated_at: new Date(at) },
    message_count: messages.length,
  };
  const rows = messages.map((row, position) => ({
    ...{ id: `msg_${id}${position}`, conversation_id: id, workspace_id: workspaceId, position },
    ...row,
  }));
  return { conversation, messages: rows, changes };
}

function makeAnswer(dice: Dice, documents: readonly string[], at: Date): Unsaid {
  const tier = dice.pick(['answer', 'answer', 'answer', 'answer', 'maybe', 'none'] as const);
  const feedback = dice.below(7) === 0 ? dice.pick(['up', 'up', 'down'] as const) : null;
  const model = dice.pick([null, { name: 'openai:gpt', failed: dice.below(30) === 0 ? 1 : 0 }]);
  const documentId = documents.length > 0 && tier === 'answer' ? dice.pick(documents) : null;
  return {
    role: 'assistant',
    content: 'Within three days.',
    tier,
    confidence: tier === 'answer' ? dice.pick(['high', 'medium']) : 'low',
    probability: dice.below(100) / 100,
    tokens_used: model === null ? 0 : 200 + dice.below(900),
    latency_ms: 20 + dice.below(2_000),
    sources: documentId === null ? [] : [{ documentId, chunkId: 'c', score: 0.9 }],
    feedback,
    feedback_at: feedback === null ? null : at,
    decision: { understood: 'questions', audience: dice.pick([[], ['pro']]), ...(model && { model }) },
  };
}

async function insertAll(
  database: Kysely<Tables>,
  made: readonly ReturnType<typeof makeConversation>[],
): Promise<void> {
  await sql`
    insert into conversation (id, workspace_id, channel, status, customer_name, started_at, last_message_at, updated_at, message_count)
    select * from json_to_recordset(${JSON.stringify(made.map(({ conversation }) => conversation))}::json) as given (
      id text, workspace_id text, channel text, status text, customer_name text, started_at timestamptz,
      last_message_at timestamptz, updated_at timestamptz, message_count integer)
  `.execute(database);
  await sql`
    insert into message (id, conversation_id, workspace_id, position, role, content, created_at, terms, tier, confidence,
                         probability, tokens_used, latency_ms, sources, feedback, feedback_at, decision)
    select * from json_to_recordset(${JSON.stringify(made.flatMap(({ messages }) => messages))}::json) as given (
      id text, conversation_id text, workspace_id text, position integer, role text, content text, created_at timestamptz,
      terms integer[], tier text, confidence text, probability real, tokens_used integer, latency_ms integer, sources jsonb,
      feedback text, feedback_at timestamptz, decision jsonb)
  `.execute(database);
  await sql`
    insert into audit_entry (id, workspace_id, conversation_id, action, actor, at, details)
    select * from json_to_recordset(${JSON.stringify(made.flatMap(({ changes }) => changes))}::json) as given (
      id text, workspace_id text, conversation_id text, action text, actor text, at timestamptz, details jsonb)
  `.execute(database);
}
