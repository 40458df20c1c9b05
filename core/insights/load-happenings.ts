import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { findSmallTalk } from '../answering/small-talk/small-talk.ts';
import { decisionRecordSchema } from '../contract/answer.ts';
import { humanSkill } from '../contract/skill.ts';
import { detectReliably } from '../language/language.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Happening } from './outcomes.ts';

/** A conversation of which the messages from a position on are counted anew. */
export interface Recounted {
  readonly id: string;
  readonly workspaceId: string;
  readonly fromPosition: number;
  readonly since: Date;
}

/** The facts about a question and its answer that insights count. */
export interface QuestionFacts {
  readonly position: number;
  readonly language: string;
  readonly audience: readonly string[] | null;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly answered: boolean;
  readonly probability: number | null;
  readonly opinion: 'up' | 'down' | null;
  readonly tokens: number;
  readonly latencyMs: number | null;
  readonly model: string | null;
  readonly failovers: number;
  readonly documents: readonly string[];
  readonly hasDisclosure: boolean;
}

/** An event, with the position of its message and, for a question, its facts. */
export type Recorded = Happening & { readonly position: number | null; readonly facts?: QuestionFacts };

interface MessageRow {
  readonly conversation_id: string;
  readonly position: number;
  readonly role: 'user' | 'assistant' | 'agent';
  readonly created_at: Date;
  readonly text: string;
  readonly terms: readonly number[] | null;
  readonly confidence: string | null;
  readonly tier: string | null;
  readonly probability: number | null;
  readonly tokens_used: number | null;
  readonly latency_ms: number | null;
  readonly skills_fired: readonly string[] | null;
  readonly feedback: 'up' | 'down' | null;
  readonly feedback_at: Date | null;
  readonly decision: unknown;
  readonly documents: readonly string[];
}

interface StatusRow {
  readonly conversation_id: string;
  readonly at: Date;
  readonly from: string | null;
  readonly to: string | null;
}

/** More than a person writes. A bot that talks to the engine all day is counted up to here. */
const MAX_MESSAGES = 2_000;
/** A language is told by less. */
const MAX_TEXT = 400;

/** Returns what happened in each of the conversations, in order of time. */
export async function loadHappenings(
  database: Kysely<Tables>,
  recounted: readonly Recounted[],
): Promise<ReadonlyMap<string, readonly Recorded[]>> {
  const messages = Map.groupBy(await loadMessages(database, recounted), (row) => row.conversation_id);
  const changes = Map.groupBy(await loadStatusChanges(database, recounted), (row) => row.conversation_id);
  return new Map(
    recounted.map(({ id }) => {
      const recorded = [
        ...fromMessages(messages.get(id) ?? []),
        ...(changes.get(id) ?? []).flatMap(fromStatusChange),
      ];
      return [id, recorded.toSorted((one, other) => one.at.getTime() - other.at.getTime())];
    }),
  );
}

async function loadMessages(database: Kysely<Tables>, recounted: readonly Recounted[]) {
  const { rows } = await sql<MessageRow>`
    select found.*
    from ${askedRows(recounted)}
    cross join lateral (
      select conversation_id, position, role, created_at, tier, probability, confidence, tokens_used, latency_ms, skills_fired, feedback,
             feedback_at, decision,
             case when role = 'user' then left(content, ${MAX_TEXT}) else '' end as text,
             case when role = 'user' then terms end as terms,
             case when tier = 'answer' or tier is null and confidence in ('high', 'medium') then array(
               select distinct source ->> 'documentId'
               from jsonb_array_elements(case when jsonb_typeof(sources) = 'array' then sources else '[]'::jsonb end) as source
             ) else '{}' end as documents
      from message
      where conversation_id = asked.id and workspace_id = asked.workspace_id and position >= asked.from_position
        and purpose is null
      order by position
      limit ${MAX_MESSAGES}
    ) as found
    order by found.conversation_id, found.position
  `.execute(database);
  return rows;
}

async function loadStatusChanges(database: Kysely<Tables>, recounted: readonly Recounted[]) {
  const { rows } = await sql<StatusRow>`
    select audit_entry.conversation_id, at, details ->> 'from' as from, details ->> 'to' as to
    from ${askedRows(recounted)}
    join audit_entry on audit_entry.workspace_id = asked.workspace_id and audit_entry.conversation_id = asked.id
      and at >= asked.since and action = 'status_changed'
    order by at, audit_entry.id
  `.execute(database);
  return rows;
}

function askedRows(recounted: readonly Recounted[]) {
  return sql`unnest(
    ${recounted.map(({ id }) => id)}::text[], ${recounted.map(({ workspaceId }) => workspaceId)}::text[],
    ${recounted.map(({ fromPosition }) => fromPosition)}::integer[],
    ${recounted.map(({ since }) => since.toISOString())}::timestamptz[]
  ) as asked (id, workspace_id, from_position, since)`;
}

const withPeople = ['claimed', 'escalated'];

function fromStatusChange({ at, from, to }: StatusRow): readonly Recorded[] {
  const wasWithPeople = withPeople.includes(from ?? '');
  if (to === 'escalated') return [{ kind: 'handover', at, position: null }];
  if (to === 'claimed') return [{ kind: 'taken', at, position: null }];
  if (to === 'resolved' || (to === 'archived' && wasWithPeople)) {
    return [{ kind: 'resolved', at, position: null }];
  }
  return to === 'open' && wasWithPeople ? [{ kind: 'returned', at, position: null }] : [];
}

function fromMessages(rows: readonly MessageRow[]): readonly Recorded[] {
  return rows.flatMap((row, index): readonly Recorded[] => {
    const { role, created_at: at, position } = row;
    if (role === 'assistant') return [];
    if (role === 'agent') return [{ kind: 'reply', at, position }];
    const next = rows[index + 1];
    const answer = next?.role === 'assistant' && next.confidence !== null ? next : null;
    if (answer === null) {
      const thanks = isThanks(row.text);
      return [thanks ? { kind: 'courtesy', thanks, at, position } : { kind: 'message', at, position }];
    }
    return fromTurn(row, answer);
  });
}

const recordSchema = decisionRecordSchema.pick({ understood: true, audience: true, model: true }).partial();
const disclosureSchema = z.object({ disclosure: z.string() });

function fromTurn(asked: MessageRow, answer: MessageRow): readonly Recorded[] {
  const { created_at: at, position } = asked;
  const record = recordSchema.safeParse(answer.decision).data ?? {};
  if (record.understood === 'small talk') {
    return [{ kind: 'courtesy', thanks: isThanks(asked.text), at, position }];
  }
  const asksPerson = record.understood === 'skill' && answer.skills_fired?.includes(humanSkill) === true;
  // The change of status that follows is the handover.
  if (asksPerson) return [{ kind: 'courtesy', thanks: false, at, position }];
  const { feedback, feedback_at: opinionAt } = answer;
  const shown = findAnswer(answer);
  const { model } = record;
  return [
    {
      ...{ kind: 'question', at, position, answer: shown, words: asked.terms ?? [] },
      opinion: feedback === null ? null : { value: feedback, at: opinionAt ?? at },
      facts: {
        position,
        language: detectReliably(asked.text) ?? 'und',
        audience: record.audience ?? null,
        confidence: toConfidence(answer.confidence),
        answered: shown === 'answer',
        probability: answer.probability,
        opinion: feedback,
        tokens: answer.tokens_used ?? 0,
        latencyMs: answer.latency_ms,
        model: model?.name ?? null,
        failovers: model?.failed ?? 0,
        documents: answer.documents,
        hasDisclosure: disclosureSchema.safeParse(answer.decision).success,
      },
    },
  ];
}

function findAnswer({ tier, confidence }: MessageRow): 'answer' | 'maybe' | 'none' {
  if (tier === 'answer' || tier === 'maybe') return tier;
  return tier === null && confidence !== 'low' ? 'answer' : 'none';
}

function toConfidence(stored: string | null): 'high' | 'medium' | 'low' {
  return stored === 'high' || stored === 'medium' ? stored : 'low';
}

function isThanks(text: string): boolean {
  const said = findSmallTalk(text, 'en')?.kind;
  return said === 'thanks' || said === 'praise';
}
