import type { Answer } from '../contract/answer.ts';
import { humanSkill } from '../contract/skill.ts';
import { ReadableDocuments } from '../knowledge/documents/readable-documents.ts';
import type { SearchDependencies } from '../knowledge/search.ts';
import type { AnswerDraft } from './answer-draft.ts';
import type { Question } from './question.ts';
import { matchSkillTrigger, runSkills, type SkillResults } from './run-skills.ts';
import { callsForPerson, namesTopics, smallTalkReply } from './small-talk/replies.ts';
import { dropPleasantries, findSmallTalk } from './small-talk/small-talk.ts';
import { rewriteQuestion } from './understanding/rewrite-question.ts';
import { createPartReadings, findParts, type PartReadings } from './understanding/search-readings.ts';
import { findTopicTitles, restOnParts, type WriterDependencies, writeAnswer } from './write-answer.ts';

interface EngineDependencies extends SearchDependencies, WriterDependencies {}

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
  const readings = question.searches ? await readQuestion(dependencies, question, draft) : [];
  await draft.enter('searching');
  const compares = dependencies.writer !== null;
  const parts = question.searches
    ? await findParts(dependencies, { question, parts: readings, compares }, draft)
    : [];
  await draft.enter('reading');
  restOnParts(parts, draft);
  await draft.enter('writing');
  await writeAnswer(dependencies, { question, parts, findings: acted.findings }, draft);
  return draft.answer();
}

function readQuestion(
  { complete, database }: EngineDependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<readonly PartReadings[]> {
  const { overheard, earlierTurns } = question;
  const text = dropPleasantries(question.text);
  const context = overheard.map(({ text: message }) => ({ question: message, answer: null }));
  const input = { text, earlierTurns: [...context, ...earlierTurns] };
  const rewrite = (text: string, language: string | null) =>
    rewriteQuestion(complete, { question, text, language }, draft);
  const documents = new ReadableDocuments(database, question.audience);
  const sample = () => draft.wait(documents.sample(question.workspaceId, question));
  return createPartReadings(input, rewrite, sample);
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
  const topics = namesTopics(talk)
    ? await findTopicTitles(dependencies, { question, language: talk.language }, draft)
    : [];
  return smallTalkReply(talk, { workspaceName: question.workspaceName, topics, offersPerson });
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
