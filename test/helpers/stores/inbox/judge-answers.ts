import type { Kysely } from 'kysely';
import { newId } from '../../../../core/base/ids.ts';
import type { Tables } from '../../../../core/storage/tables/tables.ts';

/** An answer that quotes documents, and what its visitor did with it. */
interface Judgement {
  /** The probability with which it was shown. */
  readonly probability: number;
  /** The probability before a correction, if there was one. */
  readonly shipped?: number;
  readonly verdict: 'up' | 'down' | 'asked for a person' | null;
  /** The text of the answer; a text of its own if absent. */
  readonly text?: string;
  readonly sessionId?: string;
  readonly at: Date;
  readonly isQuoted?: boolean;
}

/** Stores answers, each in a conversation of its own. */
export async function judgeAnswers(
  database: Kysely<Tables>,
  workspaceId: string,
  judgements: readonly Judgement[],
): Promise<void> {
  if (judgements.length === 0) return;
  const all = judgements.map((judgement) => ({ ...judgement, id: newId('conv') }));
  await database
    .insertInto('conversation')
    .values(
      all.map(({ id, at, sessionId }) => ({
        ...{ id, workspace_id: workspaceId, channel: 'widget', session_id: sessionId ?? id, started_at: at },
        ...{ last_message_at: at, resolved_at: null, message_count: 2, unanswered_since: null },
        ...{ customer_email: null, customer_name: null, customer_phone: null, customer_user_id: null },
        ...{ snooze_until: null, handover_since: null },
      })),
    )
    .execute();
  await database
    .insertInto('message')
    .values(all.flatMap((one) => toMessages(workspaceId, one)))
    .execute();
  const handedOver = all.filter(({ verdict }) => verdict === 'asked for a person');
  if (handedOver.length === 0) return;
  await database
    .insertInto('audit_entry')
    .values(
      handedOver.map(({ id, at }) => ({
        ...{ id: newId('evt'), workspace_id: workspaceId, conversation_id: id, at },
        ...{ action: 'status_changed', actor: 'escalate_to_human', details: '{}' },
      })),
    )
    .execute();
}

function toMessages(workspaceId: string, judgement: Judgement & { readonly id: string }) {
  const { id, at, probability, shipped, verdict, text, isQuoted = true } = judgement;
  const base = { conversation_id: id, workspace_id: workspaceId, created_at: at };
  const correction = shipped === undefined ? {} : { correction: { probability: shipped } };
  const isRated = verdict === 'up' || verdict === 'down';
  const answer = {
    ...{ ...base, id: newId('msg'), position: 1, role: 'assistant', content: text ?? `Answer ${id}` },
    ...{ confidence: 'medium', tier: 'answer', probability, quoted: isQuoted },
    ...{ decision: JSON.stringify({ act: 'quote', ...correction }) },
    ...(isRated && { feedback: verdict, feedback_at: at }),
  };
  const messages = [
    { ...base, id: newId('msg'), position: 0, role: 'user', content: 'Where is it?' },
    answer,
  ];
  if (verdict !== 'asked for a person') return messages;
  return [
    ...messages,
    { ...base, id: newId('msg'), position: 2, role: 'user', content: 'A person, please.' },
    {
      ...{ ...base, id: newId('msg'), position: 3, role: 'assistant', content: 'Of course.' },
      ...{ confidence: 'high', skills_fired: ['escalate_to_human'] },
    },
  ];
}

/** Judgements of a workspace whose answers help less often than they are called: of ten called .7, about five. */
export function overConfident(count: number, at: Date): readonly Judgement[] {
  // Multiples of irrational numbers are spread evenly.
  const spread = (index: number, by: number) => (index * by) % 1;
  return Array.from({ length: count }, (_, index) => {
    const probability = 0.25 + 0.65 * spread(index, 0.7549);
    const verdict = spread(index, 0.5698) < 0.65 * probability ? 'up' : 'down';
    return { probability, verdict, at: new Date(at.getTime() - index * 60_000) };
  });
}
