import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { truncateText } from '../../base/text.ts';
import { type DecisionRecord, decisionRecordSchema } from '../../contract/answer.ts';
import { type Opinion, opinions } from '../../contract/conversation-values.ts';
import { sourcesSchema } from '../../conversations/messages/messages.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { maskWords } from '../gaps/mask-words.ts';
import { type SampledOutcome, sampledOutcomes } from './choose-proposals.ts';

/** A question of a visitor with the answer that they got. Texts are masked. */
export interface Candidate {
  /** That of the answer. */
  readonly messageId: string;
  readonly conversationId: string;
  readonly question: string;
  readonly askedAt: Date;
  readonly channel: string;
  readonly outcome: SampledOutcome;
  /** The audience for which the documents were searched. */
  readonly audience: readonly string[];
  /** The first line, at most 300 characters. */
  readonly answer: string;
  /** The documents that the answer rests on, the first one first. Empty if it was none. */
  readonly sources: readonly { readonly documentId: string; readonly title: string }[];
  readonly rating: Opinion | null;
}

/** Longer messages tell more of their sender than they ask. */
const MAX_QUESTION = 500;
const MAX_ANSWER = 300;
const MAX_SOURCES = 3;

const rowSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  outcome: z.enum(sampledOutcomes),
  tier: z.string().nullable(),
  feedback: z.enum(opinions).nullable(),
  content: z.string(),
  lead: z.string().nullable(),
  sources: sourcesSchema.nullable(),
  citations: z.array(z.object({ chunkIds: z.array(z.string()) })).nullable(),
  // A record of an earlier version may not be readable.
  decision: decisionRecordSchema.nullable().catch(null),
  asked: z.string(),
  asked_at: z.date(),
  is_first: z.boolean(),
  channel: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});

interface Sampling {
  readonly workspaceId: string;
  readonly since: Date;
  /** The same one gives the same order. */
  readonly seed: number;
  /** The most for each outcome. */
  readonly most: number;
}

/**
 * Returns questions that visitors asked since a time and nobody decided about, of each outcome the same number if there are
 * as many, in an order that the seed decides. Small talk, requests for an action, canned replies, messages that only the
 * conversation explains and questions of the team itself are none.
 */
export async function findCandidates(
  database: Kysely<Tables>,
  { workspaceId, since, seed, most }: Sampling,
): Promise<readonly Candidate[]> {
  const order = sql`md5(id || ${String(seed)}::text)`;
  const ranked = sql`
    select id, outcome, rank from (
      select id, outcome, row_number() over (partition by outcome order by ${order}, id) as rank
      from (select id, ${outcomeOf} as outcome from message where ${sampled(workspaceId)} and created_at >= ${since}
              and not exists (select from sampled_answer where message_id = message.id)) as found
    ) as numbered where rank <= ${most}
  `;
  return loadCandidates(database, workspaceId, ranked);
}

/** Returns one of the candidates, also one that somebody decided about. Null if the answer is none. */
export async function findCandidate(
  database: Kysely<Tables>,
  { workspaceId, messageId }: { readonly workspaceId: string; readonly messageId: string },
): Promise<Candidate | null> {
  const one = sql`
    select id, ${outcomeOf} as outcome, 1 as rank from message where ${sampled(workspaceId)} and id = ${messageId}
  `;
  return (await loadCandidates(database, workspaceId, one))[0] ?? null;
}

/** Answers to questions. The texts of skills and small talk are neither quoted nor written, and sure of themselves. */
function sampled(workspaceId: string): RawBuilder<unknown> {
  return sql`
    workspace_id = ${workspaceId} and role = 'assistant' and purpose is null and decision is not null
    and ended is null and deleted_at is null and (quoted is not false or ai_generated or confidence = 'low')
  `;
}

const outcomeOf = sql`
  case when feedback = 'down' then 'disliked' when tier = 'maybe' then 'unsure'
       when tier = 'none' or tier is null and confidence = 'low' then 'unanswered' else 'answered' end
`;

async function loadCandidates(
  database: Kysely<Tables>,
  workspaceId: string,
  ranked: RawBuilder<unknown>,
): Promise<readonly Candidate[]> {
  const { rows } = await sql`
    select message.id, message.conversation_id, ranked.outcome, message.tier, message.feedback, message.content,
           message.lead, message.sources, message.citations, message.decision, conversation.channel,
           asked.content as asked, asked.created_at as asked_at,
           customer_name as name, customer_email as email, customer_phone as phone,
           not exists (
             select from message as said
             where said.conversation_id = message.conversation_id and said.role = 'user'
               and said.position < asked.position
           ) as is_first
    from (${ranked}) as ranked
    join message on message.id = ranked.id
    join conversation on conversation.id = message.conversation_id and conversation.workspace_id = ${workspaceId}
    join message as asked on asked.conversation_id = message.conversation_id
      and asked.position = message.position - 1 and asked.role = 'user' and asked.purpose is null
      and asked.deleted_at is null and char_length(asked.content) <= ${MAX_QUESTION}
    where not exists (
      select from workspace
      join membership on membership.owner_id = workspace.owner_id
      join person on person.id = membership.person_id
      where workspace.id = ${workspaceId} and person.email = lower(customer_email)
    )
    order by ranked.rank, ranked.outcome
  `.execute(database);
  return rows.map((row) => rowSchema.parse(row)).flatMap((row) => toCandidate(row) ?? []);
}

function toCandidate(row: z.output<typeof rowSchema>): Candidate | null {
  const { decision } = row;
  if (decision === null || decision.understood !== 'questions' || decision.curated !== undefined) return null;
  if (!row.is_first && !isStandalone(decision)) return null;
  return {
    messageId: row.id,
    conversationId: row.conversation_id,
    question: maskNumbers(maskWords(row.asked, row)).replace(/\s+/gu, ' ').trim(),
    askedAt: row.asked_at,
    channel: row.channel,
    outcome: row.outcome,
    audience: decision.audience ?? [],
    answer: truncateText(maskNumbers(maskWords(firstLine(row.lead ?? row.content), row)), MAX_ANSWER),
    sources: row.outcome === 'unanswered' || row.tier === 'none' ? [] : findDocuments(row),
    rating: row.feedback,
  };
}

/** Whether the words of the message were searched as they are: others are completed from the conversation before. */
function isStandalone({ questions }: DecisionRecord): boolean {
  return questions.every(({ asked, searched }) => asked === searched);
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^[\s>#*-]+/u, '').trim());
  return lines.find((line) => line !== '') ?? '';
}

/** Telephone, customer and order numbers; a year, a price or a time is shorter. */
const LONG_NUMBER = /(?<![\p{L}\p{N}])\+?\p{N}(?:[ ./()-]{0,2}\p{N}){6,20}(?![\p{L}\p{N}])/gu;

/** Masks long numbers. */
export function maskNumbers(text: string): string {
  return text.replace(LONG_NUMBER, '[number]');
}

/** The documents of the cited passages, or else of all sources, each once. */
function findDocuments({ sources, citations }: z.output<typeof rowSchema>): Candidate['sources'] {
  const all = sources ?? [];
  const cited = new Set((citations ?? []).flatMap(({ chunkIds }) => chunkIds));
  const used = all.filter(({ chunkId }) => cited.has(chunkId));
  const titles = new Map<string, string>();
  for (const { documentId, title } of used.length > 0 ? used : all) {
    if (!titles.has(documentId)) titles.set(documentId, title);
  }
  return [...titles].slice(0, MAX_SOURCES).map(([documentId, title]) => ({ documentId, title }));
}
