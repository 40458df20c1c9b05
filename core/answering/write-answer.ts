import type { Kysely } from 'kysely';
import type { Source } from '../contract/answer.ts';
import type { AnswerWriter, WriterPassage } from '../contract/answer-writer.ts';
import { humanSkill } from '../contract/skill.ts';
import { ReadableDocuments } from '../knowledge/documents/readable-documents.ts';
import { confidenceForScore } from '../knowledge/ranking/rank-candidates.ts';
import { searchRules } from '../knowledge/rules.ts';
import { fallbackMessage, missingPartMessage } from '../language/localised-texts.ts';
import type { Complete } from '../models/complete.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { bestScore, selectSources, toSource, type UsablePassage } from './answer.ts';
import { AnswerDraft } from './answer-draft.ts';
import { extractiveFallback, quotePassages } from './extractive/choose-sentences.ts';
import type { Question } from './question.ts';
import { answerRules } from './rules.ts';
import {
  runRequestedSkills,
  runSkill,
  type SkillFinding,
  type SkillResults,
  toActionOffer,
  toFindingPassage,
} from './run-skills.ts';
import { sourceLinks } from './safety/addresses.ts';
import { LinkGuard } from './safety/link-guard.ts';
import { joinSentences, topicsSentence } from './small-talk/replies.ts';
import type { FoundPart } from './understanding/search-readings.ts';

export interface WriterDependencies {
  readonly database: Kysely<Tables>;
  /** Null: the answer is quoted from the passages. */
  readonly writer: AnswerWriter | null;
  /** Null: skills run only through their own triggers. */
  readonly complete: Complete | null;
}

interface Material {
  readonly question: Question;
  /** The questions in the message with their passages; empty if nothing was searched. */
  readonly parts: readonly FoundPart[];
  /** The findings of skills that ran already. */
  readonly findings: readonly SkillFinding[];
}

/** Writes the answer, or a fallback message if there is none. */
export async function writeAnswer(
  dependencies: WriterDependencies,
  material: Material,
  draft: AnswerDraft,
): Promise<void> {
  const { question, parts } = material;
  if (dependencies.writer !== null) await writeWithModel(dependencies, material, draft);
  else await quoteParts(parts, question, draft);
  if (draft.isEmpty) await answerWithFallback(dependencies, { question, parts }, draft);
}

/** Sets the score and the confidence that the passages alone justify. */
export function restOnParts(parts: readonly FoundPart[], draft: AnswerDraft): void {
  const scores = parts.map(({ found }) => bestScore(found));
  const answering = scores.filter((score) => score >= searchRules.answerThreshold);
  const weakest = answering.length === 0 ? 0 : Math.min(...answering);
  draft.restOn({ score: Math.max(0, ...scores), confidence: confidenceForScore(weakest) });
}

/**
 * Quotes an answer to each question, below the question if there are several, and names the questions without one. Adds
 * nothing if no question is answered.
 */
async function quoteParts(
  parts: readonly FoundPart[],
  { topK }: Question,
  draft: AnswerDraft,
): Promise<void> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    if (bestScore(only.found) >= searchRules.answerThreshold)
      await quotePassages(only.found, only.found.ranked.slice(0, topK), { draft, message: only.text });
    return;
  }
  const quotes: { readonly labels: string[]; readonly text: string }[] = [];
  const sources: (readonly Source[])[] = [];
  const answered: FoundPart[] = [];
  for (const part of parts) {
    const quoted = new AnswerDraft({ signal: draft.signal });
    if (bestScore(part.found) >= searchRules.answerThreshold)
      await quotePassages(part.found, part.found.ranked.slice(0, topK), {
        draft: quoted,
        message: part.text,
      });
    const { text, sources: found } = quoted.answer();
    const same = quotes.find((quote) => text !== '' && quote.text === text);
    if (same === undefined) quotes.push({ labels: [part.label], text });
    else same.labels.push(part.label);
    if (text === '') continue;
    answered.push(part);
    sources.push(found);
  }
  if (answered.length === 0) return;
  restOnParts(answered, draft);
  draft.restOn({ sources: mergeSources(sources) });
  for (const { labels, text } of quotes) {
    const questions = labels.map((label) => `**${label}**`).join('\n');
    draft.beginParagraph();
    await draft.say(`${questions}\n${text === '' ? missingPartMessage(labels[0] ?? '') : text}`);
  }
}

/** Returns sources of every question, the best of each first, in the order of their scores. */
function mergeSources(lists: readonly (readonly Source[])[]): readonly Source[] {
  const merged = takeInTurn(lists, ({ chunkId }) => chunkId, answerRules.sources);
  return merged.toSorted((one, other) => other.score - one.score);
}

/** Takes one item of each list in turn, without repetitions. */
function takeInTurn<Item>(
  lists: readonly (readonly Item[])[],
  key: (item: Item) => string,
  limit: number,
): readonly Item[] {
  const taken = new Map<string, Item>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let index = 0; index < longest; index += 1) {
    for (const list of lists) {
      const item = list[index];
      if (item !== undefined && taken.size < limit && !taken.has(key(item))) taken.set(key(item), item);
    }
  }
  return [...taken.values()];
}

/** Returns the passages that a model reads: the best for each question and each compared thing; empty if none is near. */
function passagesToRead(parts: readonly FoundPart[], { topK }: Question): readonly UsablePassage[] {
  const lists = parts
    .flatMap(({ found, compared }) => [found, ...compared])
    .filter((found) => bestScore(found) >= answerRules.readingFloor)
    .map(({ ranked }) => ranked);
  return takeInTurn(lists, ({ chunkId }) => chunkId, topK);
}

/**
 * Writes with a model, which also decides whether the passages hold an answer. If it finds none or requests a skill, a
 * second call decides about skills from the visitor's own words, without the passages. A document therefore cannot trigger
 * a skill (prompt injection).
 */
async function writeWithModel(
  dependencies: WriterDependencies,
  { question, parts, findings }: Material,
  draft: AnswerDraft,
): Promise<void> {
  const near = passagesToRead(parts, question);
  const passages = near.length > 0 || question.strictness === 'fallback' ? near : null;
  const mayAct = findings.length === 0 && question.skills.skills.length > 0;
  let written: Written = 'nothing';
  if (passages !== null || findings.length > 0) {
    try {
      written = await generate(dependencies, { question, parts, passages, findings, mayAct }, draft);
    } catch (error) {
      if (findings.length > 0) throw error;
      return quoteAfterFailure({ question, parts, error }, draft);
    }
  }
  if (written === 'answer' || !mayAct) return;
  const acted = await runRequestedSkills(dependencies.complete, question, draft);
  await reportActions(acted, draft);
  // A model that asked for a skill without need has not read the passages yet.
  const isUnread = written === 'request' && acted.says === '';
  if (acted.findings.length === 0 && !isUnread) return;
  await generate(dependencies, { question, parts, passages, findings: acted.findings, mayAct: false }, draft);
}

interface Failed extends Pick<Material, 'question' | 'parts'> {
  /** The error of the failed models. */
  readonly error: unknown;
}

/** Quotes the documents if the request allows it for this error; otherwise throws the error. */
async function quoteAfterFailure({ question, parts, error }: Failed, draft: AnswerDraft): Promise<void> {
  const [best] = parts.toSorted((one, other) => bestScore(other.found) - bestScore(one.found));
  const failed = { question, found: best?.found ?? null, error };
  if (parts.length < 2) return extractiveFallback(failed, draft);
  if (!draft.isEmpty) throw error;
  await extractiveFallback(failed, new AnswerDraft({ signal: draft.signal }));
  await quoteParts(parts, question, draft);
}

async function reportActions({ says }: SkillResults, draft: AnswerDraft): Promise<void> {
  if (says === '') return;
  draft.restOn({ confidence: 'high', sources: [] });
  draft.beginParagraph();
  await draft.say(says);
}

interface Generating extends Material {
  /** The passages the model may use; null if there are none. */
  readonly passages: readonly UsablePassage[] | null;
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
  const { text: before, score } = draft.answer();
  draft.beginParagraph();
  draft.restOn({ confidence: score >= searchRules.answerThreshold ? confidenceForScore(score) : 'medium' });
  const material = { question, usable: passages ?? [], findings, mayAct, parts: labels };
  const generated = await generateAnswer(writer, material, draft);
  if (generated.wantsAction) return 'request';
  if (draft.answer().text === before) return 'nothing';
  const hasSupport = material.usable.length + findings.length > 0;
  if (generated.isGrounded && hasSupport) {
    const { isTrimmed, isCited, answeredParts } = generated;
    if (isTrimmed) draft.restOn({ confidence: 'medium' });
    else if (isCited || findings.length > 0) draft.restOn({ confidence: 'high' });
    await nameMissingParts(labels, answeredParts, draft);
  } else if (question.strictness === 'fallback') draft.restOn({ confidence: 'low', sources: [] });
  else await answerWithFallback(dependencies, { question, parts }, draft);
  return 'answer';
}

interface WriterMaterial {
  readonly question: Question;
  /** The questions in the message if it has several, otherwise empty. */
  readonly parts: readonly string[];
  readonly usable: readonly UsablePassage[];
  /** The findings of skills that ran. */
  readonly findings: readonly SkillFinding[];
  /** Whether the writer may request a skill instead of answering. */
  readonly mayAct: boolean;
}

interface GeneratedAnswer {
  /** Whether passages or findings support the written text. */
  readonly isGrounded: boolean;
  /** Whether sentences that no passage supports were left out. */
  readonly isTrimmed: boolean;
  /** Whether the writer named the passages that support its text. */
  readonly isCited: boolean;
  /** The indexes of the answered questions; null if all are. */
  readonly answeredParts: readonly number[] | null;
  readonly wantsAction: boolean;
}

/** Lets a writer answer in its own words. Nothing is written if it finds no answer. */
async function generateAnswer(
  writer: AnswerWriter,
  { question, parts, usable, findings, mayAct }: WriterMaterial,
  draft: AnswerDraft,
): Promise<GeneratedAnswer> {
  draft.restOn({ sources: selectSources(usable, () => false) });
  const passages = [...findings.map(toFindingPassage), ...usable.map(toWriterPassage)];
  const deltas = writer.write({
    question: question.text,
    parts,
    earlierTurns: question.earlierTurns,
    summary: question.summary,
    passages,
    tools: mayAct ? question.skills.skills.map(toActionOffer) : [],
    strictness: question.strictness,
    temperature: question.temperature,
    model: question.model,
    streamed: draft.isHeard,
    signal: draft.signal,
  });
  const guard = new LinkGuard(sourceLinks(passages));
  const { chunkIds, ...written } = await draft.relay(deltas, guard);
  if (chunkIds.size > 0) {
    const cited = usable.filter(({ chunkId }) => chunkIds.has(chunkId));
    draft.restOn({ sources: selectSources(cited, () => true) });
  }
  return { ...written, isCited: chunkIds.size > 0 };
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

/**
 * Writes the fallback message. If the workspace escalates after a number of consecutive fallbacks, also requests an
 * agent.
 */
async function answerWithFallback(
  dependencies: WriterDependencies,
  { question, parts }: Pick<Material, 'question' | 'parts'>,
  draft: AnswerDraft,
): Promise<void> {
  const lists = parts.map(({ found }) =>
    found.ranked.filter(({ score }) => score >= searchRules.relatedThreshold),
  );
  const nearMisses = takeInTurn(
    lists,
    ({ chunkId }) => chunkId,
    Math.min(answerRules.nearMisses, question.topK),
  );
  const sources = nearMisses.toSorted((one, other) => other.score - one.score).map(toSource);
  draft.restOn({ confidence: 'low', sources });
  draft.beginParagraph();
  const namesTopics = nearMisses.length === 0;
  await draft.say(
    question.fallbackMessage ?? (await writeFallback(dependencies, { question, namesTopics }, draft)),
  );
  const { skills, escalateAfter, fallbacks, moment } = question.skills;
  const consecutive = fallbacks + 1;
  const person = skills.find(({ name }) => name === humanSkill);
  if (person === undefined || escalateAfter === null || consecutive < escalateAfter || moment.withPerson)
    return;
  const given = { reason: `No answer was found, ${consecutive} times in a row.` };
  const { reply } = await runSkill(question.skills, { skill: person, given }, draft);
  draft.beginParagraph();
  if (reply !== null) await draft.say(reply);
}

/** Returns the fallback message. Names what can be asked, unless pages that may help are shown. */
async function writeFallback(
  dependencies: WriterDependencies,
  { question, namesTopics }: { readonly question: Question; readonly namesTopics: boolean },
  draft: AnswerDraft,
): Promise<string> {
  const { language } = question.skills.moment;
  const topics = namesTopics ? await findTopicTitles(dependencies, { question, language }, draft) : [];
  const sentences = [fallbackMessage(question.text, language), topicsSentence(topics, language)];
  return joinSentences(sentences, language);
}

/** Returns titles of documents that the visitor may see; none if the question does not search. */
export async function findTopicTitles(
  { database }: Pick<WriterDependencies, 'database'>,
  { question, language }: { readonly question: Question; readonly language: string },
  draft: AnswerDraft,
): Promise<readonly string[]> {
  if (!question.searches) return [];
  const documents = new ReadableDocuments(database, question.audience);
  return draft.wait(documents.topics(question.workspaceId, { documentIds: question.documentIds, language }));
}
