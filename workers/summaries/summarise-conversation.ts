import type { Kysely } from 'kysely';
import { extractWordKeys } from '../../core/answering/generated/word-keys.ts';
import { maskSecrets } from '../../core/answering/masking.ts';
import type { Complete } from '../../core/answering/models/complete.ts';
import type { TranscriptMessage } from '../../core/answering/prompts/fences.ts';
import { fitTokenBudget } from '../../core/answering/prompts/fences.ts';
import { summaryPrompt } from '../../core/answering/prompts/summary-v1.ts';
import { isSummaryDue } from '../../core/conversations/summary-schedule.ts';
import { AppError } from '../../core/errors.ts';
import { splitSentences } from '../../core/knowledge/text/sentences.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { toStorableText } from '../../core/text.ts';
import { workspaceSettingsSchema } from '../../core/workspaces/workspace-settings.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly complete: Complete;
}

/** Nobody waits for it, and small machines write slowly. */
const timeoutMs = 60_000;
/** More than a model is given at once. */
const mostMessages = 200;
const speakers: Readonly<Record<string, TranscriptMessage['from']>> = { user: 'visitor', agent: 'agent' };

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
  const until = isSummaryDue({
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
  const batch = selectSummaryBatch(masked, until);
  const last = batch.at(-1);
  if (last === undefined) return false;
  const { text } = await complete({
    messages: summaryPrompt(summary, batch.map(toSummedMessage)),
    model: settings.model ?? null,
    timeoutMs,
    signal,
  });
  const usable = filterSummary(text, [summary ?? '', ...batch.map(({ content }) => content)]);
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

function toSummedMessage({ role, content }: SummedMessage): TranscriptMessage {
  return { from: speakers[role] ?? 'assistant', text: content };
}

interface SummedMessage {
  readonly position: number;
  readonly role: string;
  readonly content: string;
}

/** Read by the model at once, beside the summary so far. */
const BATCH_TOKENS = 4_000;

/**
 * The messages that the next summary takes in: those before `until`, oldest first and whole, as many as a model reads
 * well at once. A question stays with its answer. `messages` begin where the last summary ended.
 */
export function selectSummaryBatch(
  messages: readonly SummedMessage[],
  until: number,
): readonly SummedMessage[] {
  const waiting = messages.filter(({ position }) => position < until);
  const fitting = fitTokenBudget(waiting, BATCH_TOKENS, ({ content }) => content);
  const whole = messages.slice(0, wholeTurns(messages, fitting.length));
  // One that is too long by itself is still taken, or the summary would end there for ever.
  return whole.length > 0 ? whole : waiting.slice(0, Math.max(1, fitting.length));
}

/** How many of so many messages, at most, end where the visitor speaks next. */
function wholeTurns(messages: readonly SummedMessage[], count: number): number {
  let end = count;
  while (end > 0 && messages[end] !== undefined && messages[end]?.role !== 'user') end -= 1;
  return end;
}

/** Twice what a model is asked for: it is in every prompt from then on. */
const LONGEST_TOKENS = 500;

/**
 * A model's summary as far as it may be remembered: without sentences that hold a number or code that nobody said, and
 * as many as fit. Empty where nothing is left.
 */
export function filterSummary(written: string, said: readonly string[]): string {
  const known = new Set(extractWordKeys(said.join('\n')).map(({ hash }) => hash));
  const sentences = splitSentences(toStorableText(written)).filter((sentence) =>
    extractWordKeys(sentence).every(({ exact, hash }) => !exact || known.has(hash)),
  );
  return fitTokenBudget(sentences, LONGEST_TOKENS, (sentence) => `${sentence} `).join(' ');
}
