import type { Kysely } from 'kysely';
import { extractWordKeys } from '../../answering/generated/word-keys.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Embedder } from '../../knowledge/embedding/embedder.ts';
import { chooseLanguage } from '../../language/language.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';
import { embedForGaps } from '../gaps/question-vector.ts';
import { gapsSince } from '../gaps/unanswered.ts';
import type { NewTestQuestion, TestQuestions } from '../test-questions.ts';
import { type Candidate, findCandidate, findCandidates } from './candidates.ts';
import {
  type ChoosableQuestion,
  type ComparableQuestion,
  chooseProposals,
  isSame,
} from './choose-proposals.ts';

export const sampleDecisions = ['right', 'nothing', 'skip'] as const;
/** `right`: the document of the answer is expected; `nothing`: no answer is; `skip`: no test question is made. */
export type SampleDecision = (typeof sampleDecisions)[number];

/** A question of a visitor that may become a test question. */
export interface Proposal extends Candidate {
  /** The document that a right answer would rest on; null if the answer rests on none that is still there. */
  readonly documentId: string | null;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly embedder: Embedder;
  readonly questions: Pick<TestQuestions, 'put'>;
}

/** The candidates of each outcome: more than are proposed, as some are near duplicates. Each is embedded, in 5 to 12 ms. */
const CANDIDATES = { each: 2, more: 10 };
const AT_ONCE = 8;

/** Proposes test questions from what visitors asked in the last 90 days. */
export class Proposals {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns at most `count` proposals. The same seed gives the same ones while nothing else changes. */
  async propose(
    workspaceId: string,
    { count, seed }: { readonly count: number; readonly seed: number },
  ): Promise<readonly Proposal[]> {
    const { database, clock, embedder } = this.#dependencies;
    const most = count * CANDIDATES.each + CANDIDATES.more;
    const since = gapsSince(clock.now());
    const found = await findCandidates(database, { workspaceId, since, seed, most });
    const choosable = await embedAll(embedder, dropRepeated(found));
    const known = new KnownQuestions(await this.#loadKnown(workspaceId), embedder);
    const isKnown = (question: EmbeddedCandidate) => known.has(question);
    const chosen = await chooseProposals(choosable, { count, isKnown });
    const candidates = chosen.map(({ candidate }) => candidate);
    const present = await this.#findPresent(workspaceId, candidates);
    return candidates.map((candidate) => toProposal(candidate, present));
  }

  /**
   * Stores what a person decided about an answer, which is then not proposed again. Returns the id of the test question;
   * null if none was made. Throws `message_not_found`, `document_not_found` and `too_many_test_questions`.
   */
  async decide(
    { id: workspaceId, settings }: Pick<Workspace, 'id' | 'settings'>,
    { messageId, decision, by }: { messageId: string; decision: SampleDecision; by: string },
  ): Promise<string | null> {
    const { database, clock, questions } = this.#dependencies;
    const candidate = await findCandidate(database, { workspaceId, messageId });
    if (candidate === null) throw new AppError('message_not_found');
    const known = settings.audiences ?? [];
    const audience = candidate.audience.filter((each) => known.includes(each));
    const documentId = decision === 'right' ? await this.#requireDocument(workspaceId, candidate) : null;
    const question: NewTestQuestion = {
      ...{ question: candidate.question, audience, language: null, origin: 'sampled' },
      expects: decision === 'nothing' ? 'nothing' : 'answer',
      ...{ accepted: [], documentId, section: null, said: null },
    };
    const stored = decision === 'skip' ? null : await questions.put(workspaceId, [question], by);
    const row = { decision, decided_by: by, at: clock.now() };
    await database
      .insertInto('sampled_answer')
      .values({ message_id: messageId, workspace_id: workspaceId, ...row })
      .onConflict((conflict) => conflict.column('message_id').doUpdateSet(row))
      .execute();
    return stored?.ids[0] ?? null;
  }

  async #requireDocument(workspaceId: string, candidate: Candidate): Promise<string> {
    const present = await this.#findPresent(workspaceId, [candidate]);
    const { documentId } = toProposal(candidate, present);
    if (documentId === null) throw new AppError('document_not_found');
    return documentId;
  }

  async #loadKnown(workspaceId: string): Promise<readonly string[]> {
    const rows = await this.#dependencies.database
      .selectFrom('test_question')
      .select('question')
      .where('workspace_id', '=', workspaceId)
      .execute();
    return rows.map(({ question }) => question);
  }

  /** Returns the ids of the documents that are still there. */
  async #findPresent(workspaceId: string, candidates: readonly Candidate[]): Promise<ReadonlySet<string>> {
    const ids = [
      ...new Set(candidates.flatMap(({ sources }) => sources.map(({ documentId }) => documentId))),
    ];
    if (ids.length === 0) return new Set();
    const rows = await this.#dependencies.database
      .selectFrom('document')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids)
      .where('status', '<>', 'deleted')
      .execute();
    return new Set(rows.map(({ id }) => id));
  }
}

function toProposal(candidate: Candidate, present: ReadonlySet<string>): Proposal {
  const document = candidate.sources.find(({ documentId }) => present.has(documentId));
  return { ...candidate, documentId: document?.documentId ?? null };
}

/** The same words are embedded once. */
function dropRepeated(candidates: readonly Candidate[]): readonly Candidate[] {
  const texts = new Map<string, Candidate>();
  for (const candidate of candidates) {
    // One of each outcome is left: what was answered once and not the other time is worth a look.
    const key = `${candidate.outcome} ${candidate.question.toLowerCase()}`;
    if (!texts.has(key)) texts.set(key, candidate);
  }
  return [...texts.values()];
}

interface EmbeddedCandidate extends ChoosableQuestion {
  readonly candidate: Candidate;
}

/** Leaves out questions without words. */
async function embedAll(
  embedder: Embedder,
  candidates: readonly Candidate[],
): Promise<readonly EmbeddedCandidate[]> {
  const done: EmbeddedCandidate[] = [];
  for (let from = 0; from < candidates.length; from += AT_ONCE) {
    const some = candidates.slice(from, from + AT_ONCE);
    const vectors = await Promise.all(some.map(({ question }) => toComparable(embedder, question)));
    for (const [index, candidate] of some.entries()) {
      const vector = vectors[index];
      if (vector != null) done.push({ candidate, outcome: candidate.outcome, ...vector });
    }
  }
  return done;
}

async function toComparable(embedder: Embedder, text: string): Promise<ComparableQuestion | null> {
  const language = chooseLanguage([text], []);
  const vector = await embedForGaps(embedder, text, language);
  return vector && { language, ...vector };
}

/** A workspace has up to 2,000 test questions: only those that share words with a question are embedded. */
const NEAREST = 5;

class KnownQuestions {
  readonly #embedder: Embedder;
  readonly #known: readonly { readonly text: string; readonly words: ReadonlySet<number> }[];
  readonly #vectors = new Map<string, ComparableQuestion | null>();

  constructor(questions: readonly string[], embedder: Embedder) {
    this.#embedder = embedder;
    this.#known = questions.map((text) => ({ text, words: wordsIn(text) }));
  }

  /** Returns whether a known question asks the same. */
  async has({ candidate, ...vector }: EmbeddedCandidate): Promise<boolean> {
    const { question } = candidate;
    const words = wordsIn(question);
    const nearest = this.#known
      .map((known) => ({ text: known.text, share: shareOf(words, known.words) }))
      .filter(({ share }) => share > 0)
      .toSorted((one, other) => other.share - one.share)
      .slice(0, NEAREST);
    for (const { text } of nearest) {
      if (text.toLowerCase() === question.toLowerCase()) return true;
      const known = await this.#embed(text);
      if (known !== null && isSame(vector, known)) return true;
    }
    return false;
  }

  async #embed(text: string): Promise<ComparableQuestion | null> {
    const before = this.#vectors.get(text);
    if (before !== undefined) return before;
    const vector = await toComparable(this.#embedder, text);
    this.#vectors.set(text, vector);
    return vector;
  }
}

function wordsIn(text: string): ReadonlySet<number> {
  return new Set(extractWordKeys(text).map(({ hash }) => hash));
}

/** The share of the words of both that they have in common. */
function shareOf(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
