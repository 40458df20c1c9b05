import type { Kysely } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { AnswerWriter, WriterPassage } from '../../contract/answer-writer.ts';
import { findNeighbours } from '../../knowledge/neighbours.ts';
import type { SearchDependencies } from '../../knowledge/search.ts';
import { missingPartMessage } from '../../language/localised-texts.ts';
import type { Complete } from '../../models/complete.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { selectSources, type UsablePassage } from '../answer.ts';
import type { Asked, FoundPart, SkillFinding } from '../asked.ts';
import type { Decision, Support } from '../decide.ts';
import { quoteParts, sectionHits } from '../extractive/quote-parts.ts';
import type { Question } from '../question.ts';
import { runRequestedSkills, toActionOffer, toFindingPassage } from '../run-skills.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';
import type { AnswerDraft, GroundedText } from './answer-draft.ts';
import { findDisagreement } from './find-disagreement.ts';
import { requestPerson, writeFallback } from './write-fallback.ts';

export interface WriterDependencies {
  readonly database: Kysely<Tables>;
  readonly corpora: SearchDependencies['corpora'];
  /** Null: the answer is quoted from the passages. */
  readonly writer: AnswerWriter | null;
  /** Null: skills run only through their own triggers. */
  readonly complete: Complete | null;
}

interface Material {
  readonly question: Question;
  readonly asked: Asked;
  /** The questions in the message with their passages; empty if nothing was searched. */
  readonly parts: readonly FoundPart[];
  readonly decision: Decision;
}

/** Does what was decided. If that gives no text, writes the fallback message. */
export async function write(
  dependencies: WriterDependencies,
  { question, asked, parts, decision }: Material,
  draft: AnswerDraft,
): Promise<void> {
  draft.begin({ asked, parts, decision });
  await draft.enter('writing');
  switch (decision.act) {
    case 'reply':
      await draft.say(decision.text);
      return;
    case 'quote':
    case 'suggest':
      await quote(dependencies, { question, parts }, draft);
      break;
    case 'generate':
    case 'choose skills':
      await writeWithModel(dependencies, { question, parts, decision }, draft);
      break;
    case 'fall back':
  }
  const callsPerson = decision.act === 'fall back' && decision.callsPerson === true;
  if (draft.isEmpty) await writeFallback(dependencies, { question, parts, callsPerson }, draft);
}

/**
 * Quotes an answer to each question, and what other pages say instead. It adds nothing if no question is answered.
 */
async function quote(
  { database, corpora }: Pick<WriterDependencies, 'database' | 'corpora'>,
  { question, parts }: Pick<Material, 'question' | 'parts'>,
  draft: AnswerDraft,
): Promise<void> {
  const { workspaceId } = question;
  const chunkIds = sectionHits(parts, question);
  const around = await draft.wait(findNeighbours({ database, corpora }, { workspaceId, chunkIds }));
  const { text, citations, ...basis } = quoteParts(parts, { ...question, around });
  if (text === '') return;
  const disagreement = await draft.wait(
    findDisagreement(database, question, { text, sources: basis.sources }),
  );
  draft.restOn({ kind: 'quotes', ...basis, sources: disagreement.sources });
  draft.cite(citations);
  await draft.say(text);
  if (disagreement.text !== '') {
    draft.beginParagraph();
    await draft.say(disagreement.text);
  }
  // The visitor has yet to say whether this one helps: those before it count.
  if (basis.tier === 'maybe')
    await requestPerson({ question, consecutive: question.skills.fallbacks }, draft);
}

interface ModelMaterial extends Pick<Material, 'question' | 'parts'> {
  readonly decision: Extract<Decision, { act: 'generate' | 'choose skills' }>;
}

/**
 * Writes with a model, which also decides whether the passages hold an answer. If it finds none or requests a skill, a
 * second call decides about skills from the visitor's own words, without the passages. A document therefore cannot trigger
 * a skill (prompt injection).
 */
async function writeWithModel(
  dependencies: WriterDependencies,
  { question, parts, decision }: ModelMaterial,
  draft: AnswerDraft,
): Promise<void> {
  const isRead = decision.act === 'generate';
  const passages = isRead ? decision.passages : [];
  let written: Written = 'nothing';
  if (isRead) {
    const { findings, mayAct } = decision;
    try {
      written = await generate(dependencies, { question, parts, passages, findings, mayAct }, draft);
    } catch (error) {
      if (findings.length > 0) throw error;
      return quoteAfterFailure(dependencies, { question, parts, error }, draft);
    }
    if (written === 'answer' || !mayAct) return;
  }
  const { says, findings } = await runRequestedSkills(dependencies.complete, question, draft);
  if (says !== '') {
    draft.restOn({ kind: 'reply' });
    draft.beginParagraph();
    await draft.say(says);
  }
  // A model that asked for a skill without need has not read the passages yet.
  const isUnread = written === 'request' && says === '';
  if (findings.length === 0 && !isUnread) return;
  await generate(dependencies, { question, parts, passages, findings, mayAct: false }, draft);
}

interface Failed extends Pick<Material, 'question' | 'parts'> {
  /** The error of the failed models. */
  readonly error: unknown;
}

/**
 * Answers with quotes from the documents after the models failed, if the request allows it for this error and the
 * documents contain an answer. Otherwise it throws the error, because a fallback message would wrongly claim that
 * nothing is known.
 */
async function quoteAfterFailure(
  dependencies: WriterDependencies,
  { question, parts, error }: Failed,
  draft: AnswerDraft,
): Promise<void> {
  const isAllowed = error instanceof AppError && question.quotesAt.includes(error.code);
  if (!isAllowed || !draft.isEmpty) throw error;
  await quote(dependencies, { question, parts }, draft);
  if (draft.isEmpty) throw error;
}

interface Generating extends Pick<Material, 'question' | 'parts'> {
  /** The passages that the model may use. */
  readonly passages: readonly UsablePassage[];
  /** The findings of skills that ran. */
  readonly findings: readonly SkillFinding[];
  /** Whether the model may request a skill instead of answering. */
  readonly mayAct: boolean;
}

/** The outcome of a call. With `nothing` the passages hold no answer; with `request` the model requests a skill. */
type Written = 'answer' | 'nothing' | 'request';

/**
 * Lets the model write. A text that the passages do not support is marked with low confidence in `fallback` mode and
 * followed by the fallback message in `strict` mode.
 */
async function generate(
  dependencies: WriterDependencies,
  { question, parts, passages, findings, mayAct }: Generating,
  draft: AnswerDraft,
): Promise<Written> {
  const { writer } = dependencies;
  if (writer === null) return 'nothing';
  const labels = parts.length > 1 ? parts.map(({ label }) => label) : [];
  const { text, basis } = draft;
  draft.beginParagraph();
  const given = [...findings.map(toFindingPassage), ...passages.map(toWriterPassage)];
  const sources = selectSources(passages, () => false);
  draft.restOn({ kind: 'model', sources, support: 'open' });
  const deltas = writer.write({
    question: question.text,
    parts: labels,
    earlierTurns: question.earlierTurns,
    summary: question.summary,
    passages: given,
    tools: mayAct ? question.skills.skills.map(toActionOffer) : [],
    strictness: question.strictness,
    temperature: question.temperature,
    model: question.model,
    streamed: draft.isHeard,
    signal: draft.signal,
    observer: draft.trace?.observer,
  });
  const written = await draft.relay(deltas, new LinkGuard(sourceLinks(given)));
  if (draft.text === text) draft.restOn(basis);
  if (written.wantsAction) return 'request';
  if (draft.text === text) return 'nothing';
  const support = judgeText(written, { hasFindings: findings.length > 0, isGiven: given.length > 0 });
  if (support !== 'none') {
    const cited = passages.filter(({ chunkId }) => written.chunkIds.has(chunkId));
    const used = written.chunkIds.size > 0 ? selectSources(cited, () => true) : sources;
    draft.restOn({ kind: 'model', sources: used, support });
    await nameMissingParts(labels, written.answeredParts, draft);
  } else if (question.strictness === 'fallback') draft.restOn({ kind: 'model', sources: [], support });
  else await writeFallback(dependencies, { question, parts }, draft);
  return 'answer';
}

interface Given {
  readonly hasFindings: boolean;
  /** Whether the model was given anything that may support its text. */
  readonly isGiven: boolean;
}

function judgeText(
  { isGrounded, isTrimmed, chunkIds }: GroundedText,
  { hasFindings, isGiven }: Given,
): Support {
  if (!isGrounded || !isGiven) return 'none';
  if (isTrimmed) return 'trimmed';
  return chunkIds.size > 0 || hasFindings ? 'cited' : 'uncited';
}

function toWriterPassage(passage: UsablePassage): WriterPassage {
  const { chunkId, documentId, title, url, headings, body, score } = passage;
  return { chunkId, documentId, title, url, headings, text: body, score };
}

/** Names the questions that the model left unanswered. */
async function nameMissingParts(
  labels: readonly string[],
  answered: readonly number[] | null,
  draft: AnswerDraft,
): Promise<void> {
  if (answered === null) return;
  for (const [index, label] of labels.entries()) {
    if (answered.includes(index)) continue;
    draft.beginParagraph();
    await draft.say(`**${label}**\n${missingPartMessage(label)}`);
  }
}
