import { type Selectable, sql, type Transaction } from 'kysely';
import { type AuditChange, writeAuditEntries } from '../audit/audit-log.ts';
import { namedActor } from '../contract/actor.ts';
import { handoverStatuses } from '../contract/conversation-values.ts';
import type { SkillEffect } from '../contract/skill.ts';
import { humanSkill } from '../contract/skill.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { writeColumns } from './change-row.ts';
import { assignHandedOver } from './hand-over.ts';
import type { Turn } from './messages/turn.ts';
import { type Columns, changedFields, planChange } from './plan-change.ts';

type Row = Omit<Selectable<Tables['conversation']>, 'awaited'>;

interface Step {
  readonly columns: Columns;
  readonly changes: readonly AuditChange[];
  /** The actor in the audit log. */
  readonly actor: string;
  /** The data of the webhook event `lead.captured`. */
  readonly captured?: { readonly customer: object; readonly consent: string };
}

type EffectTarget = Pick<Turn, 'workspaceId' | 'effects' | 'awaited'> & { readonly conversationId: string };

/** Stores the effects of skills on a conversation, in the transaction that stores the answer. */
export async function applySkillEffects(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, effects, awaited }: EffectTarget,
  now: Date,
): Promise<void> {
  const updateConversation = () =>
    transaction
      .updateTable('conversation')
      .where('id', '=', conversationId)
      .where('workspace_id', '=', workspaceId);
  if (awaited !== undefined) {
    const stored = awaited === null ? null : JSON.stringify(awaited);
    await updateConversation().set({ awaited: stored }).execute();
  }
  for (const effect of effects) {
    const row = await transaction
      .selectFrom('conversation')
      .selectAll()
      .where('id', '=', conversationId)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const { columns, changes, actor, captured } = planEffect(row, effect, now);
    if (Object.keys(columns).length > 0)
      await writeColumns(transaction, { workspaceId, id: conversationId }, columns);
    await writeAuditEntries(
      transaction,
      { id: conversationId, workspaceId, actor: namedActor(actor), at: now },
      changes,
    );
    if (effect.kind === 'escalate' && changes.length > 0 && row.assignee_id === null) {
      await assignHandedOver(transaction, { workspaceId, id: conversationId, now });
    }
    if (captured === undefined) continue;
    const data = JSON.stringify({
      workspace_id: workspaceId,
      conversation_id: conversationId,
      channel: row.channel,
      customer: captured.customer,
      consent: { words: captured.consent, at: now },
    });
    await sql`
      select tell_webhooks(${workspaceId}, ${conversationId}, 'lead.captured', ${now}::timestamptz, ${data}::json)
    `.execute(transaction);
  }
}

function planEffect(row: Row, effect: SkillEffect, now: Date): Step {
  if (effect.kind === 'escalate') return planEscalation(row, effect.reason, now);
  if (effect.kind === 'capture_lead') return planLeadCapture(row, effect);
  return { columns: {}, changes: [], actor: '' };
}

/** A conversation that an agent already has stays with that agent. */
function planEscalation(row: Row, reason: string, now: Date): Step {
  const actor = humanSkill;
  if (handoverStatuses.some((status) => status === row.status)) return { columns: {}, changes: [], actor };
  const plan = planChange(row, { status: 'escalated' }, { now, lastVisitorMessageAt: now });
  const changes = plan.changes.map((change) => ({ ...change, details: { ...change.details, reason } }));
  return { columns: plan.columns, changes, actor };
}

function planLeadCapture(
  row: Row,
  { lead: given, consent }: Extract<SkillEffect, { kind: 'capture_lead' }>,
): Step {
  const from = { email: row.customer_email, name: row.customer_name, phone: row.customer_phone };
  const to = {
    email: given.email ?? from.email,
    name: given.name ?? from.name,
    phone: given.phone ?? from.phone,
  };
  // The event reports the values that the visitor gave; the conversation keeps a verified e-mail address regardless.
  const isVerified = row.customer_email_verified && row.customer_email !== null;
  const stored = isVerified ? { ...to, email: from.email } : to;
  const verified = to.email === null ? null : isVerified && to.email === from.email;
  return {
    columns: {
      customer_email: stored.email,
      customer_email_verified: isVerified,
      customer_name: stored.name,
      customer_phone: stored.phone,
    },
    changes: [{ action: 'lead_captured', details: { fields: changedFields(from, stored) } }],
    actor: 'collect_lead',
    captured: { customer: { ...to, email_verified: verified }, consent },
  };
}
