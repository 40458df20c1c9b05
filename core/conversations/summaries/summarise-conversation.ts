import type { Kysely } from 'kysely';
import { maskSecrets } from '../../answering/masking/mask-secrets.ts';
import type { Complete } from '../../answering/models/complete.ts';
import type { SaidMessage } from '../../answering/prompts/fenced-conversation.ts';
import { summaryPrompt } from '../../answering/prompts/summary-v1.ts';
import { AppError } from '../../errors.ts';
import type { Tables } from '../../storage/tables.ts';
import { workspaceSettingsSchema } from '../../workspaces/workspace-settings.ts';
import { type SummedMessage, summaryBatch } from './summary-batch.ts';
import { summaryDue } from './summary-due.ts';
import { usableSummary } from './usable-summary.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly complete: Complete;
}

/** Nobody waits for it, and small machines write slowly. */
const timeoutMs = 60_000;
/** More than a model is given at once. */
const mostMessages = 200;
const speakers: Readonly<Record<string, SaidMessage['from']>> = { user: 'visitor', agent: 'agent' };

/**
 * Takes the oldest messages that wait for it into the summary of a conversation. False where nothing was to do, or
 * another worker did it meanwhile. Throws what `complete` throws; the summary is then as it was.
 */
export async function summariseConversation(
  { database, complete }: Dependencies,
  conversationId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const conversation = await find(database, conversationId);
  if (conversation === undefined) return false;
  const { workspace_id, summary_until, memory_from, message_count } = conversation;
  const settings = workspaceSettingsSchema.parse(conversation.settings);
  const mask = (text: string) => (settings.mask_secrets === true ? maskSecrets(text) : text);
  const until = summaryDue({
    messageCount: message_count,
    memoryFrom: memory_from,
    summaryUntil: summary_until,
  });
  if (until === null) return false;
  const messages = await messagesFrom(database, {
    conversationId,
    workspaceId: workspace_id,
    from: summary_until,
  });
  const summary = conversation.summary === null ? null : mask(conversation.summary);
  const masked = messages.map((message) => ({ ...message, content: mask(message.content) }));
  const batch = summaryBatch(masked, until);
  const last = batch.at(-1);
  if (last === undefined) return false;
  const { text } = await complete({
    messages: summaryPrompt(summary, batch.map(saidMessageOf)),
    model: settings.model ?? null,
    timeoutMs,
    signal,
  });
  const usable = usableSummary(text, [summary ?? '', ...batch.map(({ content }) => content)]);
  if (usable === '') {
    throw new AppError('model_provider_error', { detail: 'The summary holds nothing that was said.' });
  }
  const { numUpdatedRows } = await database
    .updateTable('conversation')
    .set({ summary: usable, summary_until: last.position + 1 })
    .where('id', '=', conversationId)
    .where('workspace_id', '=', workspace_id)
    .where('summary_until', '=', summary_until)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function find(database: Kysely<Tables>, conversationId: string) {
  return database
    .selectFrom('conversation')
    .innerJoin('workspace', 'workspace.id', 'conversation.workspace_id')
    .select([
      'workspace_id',
      'summary',
      'summary_until',
      'memory_from',
      'message_count',
      'workspace.settings',
    ])
    .where('conversation.id', '=', conversationId)
    .where('workspace.deleted_at', 'is', null)
    .executeTakeFirst();
}

function messagesFrom(
  database: Kysely<Tables>,
  { conversationId, workspaceId, from }: { conversationId: string; workspaceId: string; from: number },
): Promise<SummedMessage[]> {
  return database
    .selectFrom('message')
    .select(['position', 'role', 'content'])
    .where('conversation_id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('position', '>=', from)
    .orderBy('position')
    .limit(mostMessages)
    .execute();
}

function saidMessageOf({ role, content }: SummedMessage): SaidMessage {
  return { from: speakers[role] ?? 'assistant', text: content };
}
