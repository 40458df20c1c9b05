import type { AnswerWriter } from '../contract/answer-writer.ts';
import { humanSkill } from '../contract/skill.ts';
import { findTopics } from '../knowledge/documents.ts';
import {
  ANSWER_THRESHOLD,
  confidenceForScore,
  RELATED_THRESHOLD,
} from '../knowledge/ranking/rank-candidates.ts';
import type { SearchDependencies, SearchResult } from '../knowledge/search.ts';
import { type Answer, bestScore, toSource, type UsablePassage } from './answer.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { extractiveFallback, quotePassages } from './extractive/choose-sentences.ts';
import { generateAnswer } from './generated/generate-answer.ts';
import { fallbackMessage } from './localised-texts.ts';
import type { Complete } from './models/complete.ts';
import type { Question } from './question.ts';
import {
  matchSkillTrigger,
  runRequestedSkills,
  runSkill,
  runSkills,
  type SkillFinding,
  type SkillResults,
} from './run-skills.ts';
import {
  callsForPerson,
  joinSentences,
  namesTopics,
  smallTalkReply,
  topicsSentence,
} from './small-talk/replies.ts';
import { dropPleasantries, findSmallTalk } from './small-talk/small-talk.ts';
import { rewriteQuestion } from './understanding/rewrite-question.ts';
import { createReadings, findPassages, type QuestionReadings } from './understanding/search-readings.ts';

interface EngineDependencies extends SearchDependencies {
  /** Null: the answer is quoted from the passages. */
  readonly writer: AnswerWriter | null;
  /** Null: skills run only through their own triggers. */
  readonly complete: Complete | null;
}

/**
 * Answers a question from the documents of a workspace, runs the requested skills, or replies that there is no answer.
 * Throws the reason of the draft's signal once it aborts; the draft then holds the answer written so far.
 */
export async function answerQuestion(
  dependencies: EngineDependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<Answer> {
  await draft.enter('understanding');
  const acted = await runTriggeredSkill(question, draft);
  if (acted.says !== '') return emitStages(acted.says, draft);
  const reply = acted.findings.length > 0 ? null : await replyToSmallTalk(dependencies, question, draft);
  if (reply !== null) return emitStages(reply, draft);
  const readings = question.searches ? await readQuestion(dependencies, question, draft) : null;
  await draft.enter('searching');
  const found = readings && (await findPassages(dependencies, { question, readings }, draft));
  await draft.enter('reading');
  const score = bestScore(found);
  draft.restOn({ score, confidence: confidenceForScore(score) });
  await draft.enter('writing');
  await writeAnswer(dependencies, { question, found, findings: acted.findings }, draft);
  return draft.answer();
}

function readQuestion(
  { complete }: EngineDependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<QuestionReadings> {
  const { overheard, earlierTurns } = question;
  const text = dropPleasantries(question.text);
  const context = overheard.map(({ text: message }) => ({ question: message, answer: null }));
  const input = { text, earlierTurns: [...context, ...earlierTurns] };
  return createReadings(input, () => rewriteQuestion(complete, question, draft));
}

function runTriggeredSkill({ skills }: Question, draft: AnswerDraft): Promise<SkillResults> {
  const call = matchSkillTrigger(skills, draft.signal);
  return runSkills(skills, call === null ? [] : [call], draft);
}

/** Returns the reply to a message that asks the documents nothing; null for any other message. */
async function replyToSmallTalk(
  dependencies: EngineDependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<string | null> {
  const { skills, moment } = question.skills;
  const talk = findSmallTalk(question.text, moment.language);
  if (talk === null) return null;
  const hasPerson = skills.some(({ name }) => name === humanSkill) && !moment.withPerson;
  const offersPerson = hasPerson && callsForPerson(talk);
  const effect = { kind: 'await', state: { offered: true }, messages: 1 } as const;
  if (offersPerson) draft.offer({ skill: humanSkill, effects: [effect] });
  const topics = namesTopics(talk) ? await findTopicTitles(dependencies, question, talk.language, draft) : [];
  return smallTalkReply(talk, { workspaceName: question.workspaceName, topics, offersPerson });
}

async function findTopicTitles(
  { database }: Pick<EngineDependencies, 'database'>,
  question: Question,
  language: string,
  draft: AnswerDraft,
): Promise<readonly string[]> {
  return question.searches ? draft.wait(findTopics(database, { ...question, language })) : [];
}

/** Emits all stages even though nothing is searched, because listeners expect each of them. */
async function emitStages(text: string, draft: AnswerDraft): Promise<Answer> {
  await draft.enter('searching');
  await draft.enter('reading');
  draft.restOn({ confidence: 'high' });
  await draft.enter('writing');
  await draft.say(text);
  return draft.answer();
}

type Dependencies = Pick<EngineDependencies, 'database' | 'writer' | 'complete'>;

interface Material {
  readonly question: Question;
  /** Null if nothing was searched. */
  readonly found: SearchResult | null;
  /** The findings of skills that ran already. */
  readonly findings: readonly SkillFinding[];
}

/** Writes the answer, or a fallback message if there is none. */
async function writeAnswer(
  dependencies: Dependencies,
  { question, found, findings }: Material,
  draft: AnswerDraft,
): Promise<void> {
  const usable = found?.ranked.slice(0, question.topK) ?? [];
  const hasAnswer = bestScore(found) >= ANSWER_THRESHOLD;
  const allowed = hasAnswer || question.strictness === 'fallback' ? usable : null;
  if (dependencies.writer !== null) {
    await writeWithModel(dependencies, { question, found, passages: allowed, findings }, draft);
  } else if (found !== null && hasAnswer) await quotePassages(found, usable, draft);
  if (draft.isEmpty) await answerWithFallback(dependencies, { question, usable }, draft);
}

interface ModelMaterial {
  readonly question: Question;
  /** The passages the model may use; null if it may only request skills. */
  readonly passages: readonly UsablePassage[] | null;
  readonly findings: readonly SkillFinding[];
}

/**
 * Writes with a model. If the model requests a skill, a second call decides again from the visitor's own words, without
 * the passages. A document therefore cannot trigger a skill (prompt injection).
 */
async function writeWithModel(
  dependencies: Dependencies,
  { question, found, passages, findings }: ModelMaterial & Pick<Material, 'found'>,
  draft: AnswerDraft,
): Promise<void> {
  const mayAct = findings.length === 0 && question.skills.skills.length > 0;
  if (passages !== null || findings.length > 0) {
    try {
      const wantsAction = await generateOrRequestActions(
        dependencies,
        { question, passages, findings, mayAct },
        draft,
      );
      if (!wantsAction) return;
    } catch (error) {
      if (findings.length > 0) throw error;
      return extractiveFallback({ question, found, error }, draft);
    }
  } else if (!mayAct) return;
  const acted = await runRequestedSkills(dependencies.complete, question, draft);
  await reportActions(acted, draft);
  if (acted.findings.length === 0 && (acted.says !== '' || passages === null)) return;
  await generateOrRequestActions(
    dependencies,
    { question, passages, findings: acted.findings, mayAct: false },
    draft,
  );
}

async function reportActions({ says }: SkillResults, draft: AnswerDraft): Promise<void> {
  if (says === '') return;
  draft.restOn({ confidence: 'high', sources: [] });
  draft.beginParagraph();
  await draft.say(says);
}

/**
 * Returns true if the model requests a skill instead of writing. A text that the passages do not support is marked with
 * low confidence in `fallback` mode and replaced by the fallback message in `strict` mode.
 */
async function generateOrRequestActions(
  dependencies: Dependencies,
  material: ModelMaterial & { readonly mayAct: boolean },
  draft: AnswerDraft,
): Promise<boolean> {
  const { writer } = dependencies;
  if (writer === null) return false;
  const { question, passages, findings } = material;
  const before = draft.answer().text;
  draft.beginParagraph();
  const { isGrounded, wantsAction } = await generateAnswer(
    writer,
    { ...material, usable: passages ?? [] },
    draft,
  );
  if (wantsAction) return true;
  const wrote = draft.answer().text !== before;
  if (isGrounded && wrote && findings.length > 0) draft.restOn({ confidence: 'high' });
  if (isGrounded || !wrote) return false;
  if (question.strictness === 'fallback') draft.restOn({ confidence: 'low', sources: [] });
  else await answerWithFallback(dependencies, { question, usable: passages ?? [] }, draft);
  return false;
}

const MAX_NEAR_MISSES = 3;

/**
 * Writes the fallback message. If the workspace escalates after a number of consecutive fallbacks, also requests an
 * agent.
 */
async function answerWithFallback(
  dependencies: Dependencies,
  { question, usable }: { readonly question: Question; readonly usable: readonly UsablePassage[] },
  draft: AnswerDraft,
): Promise<void> {
  const nearMisses = usable.filter((passage) => passage.score >= RELATED_THRESHOLD);
  draft.restOn({ confidence: 'low', sources: nearMisses.slice(0, MAX_NEAR_MISSES).map(toSource) });
  draft.beginParagraph();
  await draft.say(question.fallbackMessage ?? (await writeFallback(dependencies, question, draft)));
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

/** Returns the fallback message, with what can be asked. */
async function writeFallback(
  dependencies: Dependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<string> {
  const { language } = question.skills.moment;
  const topics = await findTopicTitles(dependencies, question, language, draft);
  return joinSentences(
    [fallbackMessage(question.text, language), topicsSentence(topics, language)],
    language,
  );
}
