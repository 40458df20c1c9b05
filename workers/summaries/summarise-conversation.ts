import type { Kysely } from 'kysely';
import type { FindOwnerModels } from '../../core/answering/ask-request.ts';
import { extractWordKeys } from '../../core/answering/generated/word-keys.ts';
import { maskSecrets } from '../../core/answering/masking.ts';
import { fitTokenBudget, type TranscriptMessage } from '../../core/answering/prompts/fences.ts';
import { summaryPrompt } from '../../core/answering/prompts/summary-v2.ts';
import { AppError } from '../../core/base/errors.ts';
import { toStorableText } from '../../core/base/text.ts';
import {
  findSummarised,
  loadUnsummarised,
  type SummedMessage,
  storeSummary,
} from '../../core/conversations/summaries.ts';
import { isSummaryDue } from '../../core/conversations/summary-schedule.ts';
import { splitSentences } from '../../core/language/sentences.ts';
import type { Complete } from '../../core/models/complete.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { workspaceSettingsSchema } from '../../core/workspaces/workspace-settings.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly complete: Complete;
  /** Finds the models of owners who brought a key; nobody did if absent. */
  readonly ownerModels?: FindOwnerModels | undefined;
}

/** Generous, because no visitor waits for a summary and small machines generate slowly. */
const timeoutMs = 60_000;
const speakers: Readonly<Record<string, TranscriptMessage['from']>> = { user: 'visitor', agent: 'agent' };

/**
 * Extends the summary of a conversation by the oldest messages that it does not cover yet. Returns false if
 * there was nothing to do or another worker did it meanwhile. Throws what `complete` throws and then leaves the
 * summary unchanged.
 */
export async function summariseConversation(
  { database, complete, ownerModels }: Dependencies,
  conversationId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const conversation = await findSummarised(database, conversationId);
  if (conversation === undefined) return false;
  const { workspace_id, owner_id, summary_until, memory_from, message_count } = conversation;
  const settings = workspaceSettingsSchema.parse(conversation.settings);
  const mask = (text: string) => (settings.mask_secrets === true ? maskSecrets(text) : text);
  const until = isSummaryDue({
    messageCount: message_count,
    memoryFrom: memory_from,
    summaryUntil: summary_until,
  });
  if (until === null) return false;
  const messages = await loadUnsummarised(database, {
    conversationId,
    workspaceId: workspace_id,
    from: summary_until,
  });
  const summary = conversation.summary === null ? null : mask(conversation.summary);
  const masked = messages.map((message) => ({ ...message, content: mask(message.content) }));
  const batch = selectSummaryBatch(masked, until);
  const last = batch.at(-1);
  if (last === undefined) return false;
  const model = settings.model ?? null;
  const own = await ownerModels?.(owner_id, model);
  const { text } = await (own?.complete ?? complete)({
    messages: summaryPrompt(summary, batch.map(toSummedMessage)),
    model,
    timeoutMs,
    signal,
  });
  const filtered = filterSummary(text, [summary ?? '', ...batch.map(({ content }) => content)]);
  if (filtered === '') {
    throw new AppError('model_provider_error', {
      detail: 'The summary contains no sentence that the conversation supports.',
    });
  }
  return storeSummary(database, {
    conversationId,
    workspaceId: workspace_id,
    summary: filtered,
    until: last.position + 1,
    before: summary_until,
  });
}

function toSummedMessage({ role, content }: SummedMessage): TranscriptMessage {
  return { from: speakers[role] ?? 'assistant', text: content };
}

/** Token limit of the messages in one prompt, in addition to the previous summary. */
const BATCH_TOKENS = 4_000;

/**
 * Returns the messages for the next summary: the oldest messages before `until` that fit into one prompt, cut
 * after a complete turn so that a question stays with its answer. `messages` start where the last summary
 * ended.
 */
export function selectSummaryBatch(
  messages: readonly SummedMessage[],
  until: number,
): readonly SummedMessage[] {
  const waiting = messages.filter(({ position }) => position < until);
  const fitting = fitTokenBudget(waiting, BATCH_TOKENS, ({ content }) => content);
  const whole = messages.slice(0, wholeTurns(messages, fitting.length));
  // A message that exceeds the limit by itself is still included, otherwise the summary could never advance.
  return whole.length > 0 ? whole : waiting.slice(0, Math.max(1, fitting.length));
}

/** Returns the largest number of messages, at most `count`, that ends before a visitor's message. */
function wholeTurns(messages: readonly SummedMessage[], count: number): number {
  let end = count;
  while (end > 0 && messages[end] !== undefined && messages[end]?.role !== 'user') end -= 1;
  return end;
}

/**
 * Twice the length that the prompt asks for. The limit matters because the summary is part of every later
 * prompt.
 */
const MAX_SUMMARY_TOKENS = 500;

/**
 * Returns the usable sentences of a generated summary: without sentences that contain a number or code absent
 * from the source, and cut to the token limit. Returns an empty string if nothing is left.
 */
export function filterSummary(summary: string, sources: readonly string[]): string {
  const known = new Set(extractWordKeys(sources.join('\n')).map(({ hash }) => hash));
  const sentences = splitSentences(toStorableText(summary)).filter((sentence) =>
    extractWordKeys(sentence).every(({ exact, hash }) => !exact || known.has(hash)),
  );
  return fitTokenBudget(sentences, MAX_SUMMARY_TOKENS, (sentence) => `${sentence} `).join(' ');
}
