import type { Kysely } from 'kysely';
import type { Source } from '../answering/answer.ts';
import { AnswerDraft } from '../answering/answer-draft.ts';
import type { AskDependencies } from '../answering/ask-request.ts';
import { answerQuestion } from '../answering/engine.ts';
import { maskQuestion } from '../answering/masking.ts';
import type { EarlierTurn } from '../answering/understanding/standalone-question.ts';
import { AppError } from '../errors.ts';
import type { Confidence } from '../knowledge/ranking/rank-candidates.ts';
import { chooseLanguage } from '../knowledge/text/language.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Workspace } from '../workspaces/workspaces.ts';

/** An answer that an agent may send. Nothing of it is stored or counted. */
export interface Suggestion {
  /** Null if the documents contain no answer, or the visitor has asked nothing since the last reply. */
  readonly text: string | null;
  readonly confidence: Confidence;
  readonly sources: readonly Source[];
  /** The messages that it answers. */
  readonly question: string;
  /** The last of them: the suggestion is outdated once the visitor writes again. */
  readonly messageId: string | null;
  /** Whether a language model wrote it; otherwise it quotes documents. */
  readonly isWritten: boolean;
}

type Dependencies = Pick<
  AskDependencies,
  'clock' | 'database' | 'embedder' | 'corpora' | 'reranker' | 'writer' | 'complete'
>;

interface SuggestionRequest {
  readonly workspace: Workspace;
  readonly conversationId: string;
  readonly signal: AbortSignal;
}

const mostMessages = 40;
const QUOTED_PASSAGES = 5;
const READ_PASSAGES = 10;

/**
 * Answers what the visitor has asked since the last reply, as the engine would, but without skills: those act for real.
 * Throws `conversation_not_found`.
 */
export async function suggestReply(
  dependencies: Dependencies,
  { workspace, conversationId, signal }: SuggestionRequest,
): Promise<Suggestion> {
  const { database, clock, writer } = dependencies;
  const history = await loadHistory(database.kysely, workspace.id, conversationId);
  const nothing = { text: null, confidence: 'low', sources: [], isWritten: false } as const;
  const { question, messageId, earlierTurns } = history;
  if (question === '') return { ...nothing, question, messageId };
  const earlierQuestions = earlierTurns.map((turn) => turn.question);
  const draft = new AnswerDraft({ signal });
  const { kysely } = database;
  const answer = await answerQuestion(
    { ...dependencies, database: kysely },
    {
      workspaceId: workspace.id,
      workspaceName: workspace.name,
      ...maskQuestion(workspace, { text: question, earlierTurns, summary: history.summary, overheard: [] }),
      topK: writer === null ? QUOTED_PASSAGES : READ_PASSAGES,
      strictness: 'strict',
      temperature: null,
      model: workspace.settings.model ?? null,
      audience: history.audience,
      documentIds: null,
      fallbackMessage: null,
      quotesAt: ['provider_down', 'model_provider_error', 'upstream_timeout'],
      searches: true,
      skills: {
        skills: [],
        moment: {
          workspaceId: workspace.id,
          channel: history.channel,
          conversationId,
          question,
          language: chooseLanguage([question, ...earlierQuestions.toReversed()], []),
          earlierQuestions,
          customer: { email: null, name: null, phone: null },
          userId: null,
          withPerson: true,
          now: clock.now(),
        },
        awaited: null,
        wanted: null,
        fallbacks: 0,
        escalateAfter: null,
      },
    },
    draft,
  );
  const { text, confidence, sources } = answer;
  if (confidence === 'low' || text.trim() === '') return { ...nothing, question, messageId };
  return { text, confidence, sources, question, messageId, isWritten: answer.tokensUsed > 0 };
}

interface History {
  readonly channel: string;
  readonly summary: string | null;
  readonly audience: readonly string[];
  readonly question: string;
  readonly messageId: string | null;
  readonly earlierTurns: readonly EarlierTurn[];
}

/** The visitor's messages since the last reply are the question; what came before is its context. */
async function loadHistory(database: Kysely<Tables>, workspaceId: string, id: string): Promise<History> {
  const conversation = await database
    .selectFrom('conversation')
    .leftJoin('visitor', 'visitor.id', 'conversation.session_id')
    .select(['conversation.channel', 'conversation.summary', 'conversation.memory_from', 'visitor.audience'])
    .where('conversation.workspace_id', '=', workspaceId)
    .where('conversation.id', '=', id)
    .executeTakeFirst();
  if (conversation === undefined) throw new AppError('conversation_not_found');
  const rows = await database
    .selectFrom('message')
    .select(['id', 'role', 'content', 'confidence', 'position'])
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', id)
    .where('position', '>=', conversation.memory_from)
    .where('purpose', 'is', null)
    .orderBy('position', 'desc')
    .limit(mostMessages)
    .execute();
  const messages = rows.toReversed();
  // The engine's own answer to the last question is no reply of a person: the agent is asked for a better one.
  const lastReply = messages.findLastIndex(({ role }) => role === 'agent');
  const lastGood = messages.findLastIndex(
    ({ role, confidence }) => role === 'assistant' && confidence !== 'low',
  );
  const from = Math.max(lastReply, lastGood) + 1;
  const open = messages.slice(from).filter(({ role, content }) => role === 'user' && content.trim() !== '');
  const asked = open.length > 0 ? open : messages.filter(({ role }) => role === 'user').slice(-1);
  const first = asked[0]?.position ?? 0;
  const earlier = messages.filter(({ position }) => position < first);
  const last = lastReply === messages.length - 1 ? [] : asked;
  return {
    channel: conversation.channel,
    summary: conversation.summary,
    audience: conversation.audience ?? [],
    question: last.map(({ content }) => content).join('\n'),
    messageId: last.at(-1)?.id ?? null,
    earlierTurns: earlier.flatMap((message, index) => {
      if (message.role !== 'user') return [];
      const reply = earlier[index + 1];
      const isAnswer = reply !== undefined && reply.role !== 'user' && reply.confidence !== 'low';
      return [{ question: message.content, answer: isAnswer ? reply.content : null }];
    }),
  };
}
