import type { Kysely } from 'kysely';
import { humanSkill } from '../../contract/skill.ts';
import { ReadableDocuments } from '../../knowledge/documents/readable-documents.ts';
import type { Complete } from '../../models/complete.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Asked, PartReadings } from '../asked.ts';
import type { Question } from '../question.ts';
import { matchSkillTrigger, runSkills, type SkillResults } from '../run-skills.ts';
import { callsForPerson, namesTopics, smallTalkReply } from '../small-talk/replies.ts';
import { dropPleasantries, findSmallTalk } from '../small-talk/small-talk.ts';
import type { AnswerDraft } from '../writing/answer-draft.ts';
import { findTopicTitles } from '../writing/write-fallback.ts';
import { rewriteQuestion, writeSearchPhrases } from './rewrite-question.ts';
import { createPartReadings } from './search-readings.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  /** Null: questions are not rewritten by a model. */
  readonly complete: Complete | null;
}

/**
 * Finds out what a message wants: an action (the first skill that its words trigger runs at once), a reply without a
 * search, or answers to one or several questions.
 */
export async function understand(
  dependencies: Dependencies,
  question: Question,
  draft: AnswerDraft,
): Promise<Asked> {
  await draft.enter('understanding');
  const { says, findings } = await runTriggeredSkill(question, draft);
  if (says !== '') return { kind: 'reply', by: 'skill', text: says };
  const reply = findings.length > 0 ? null : await replyToSmallTalk(dependencies, question, draft);
  if (reply !== null) return { kind: 'reply', by: 'small talk', text: reply };
  const parts = question.searches ? await readQuestions(dependencies, question, draft) : [];
  return { kind: 'questions', parts, findings };
}

function runTriggeredSkill({ skills }: Question, draft: AnswerDraft): Promise<SkillResults> {
  const call = matchSkillTrigger(skills, draft.signal);
  return runSkills(skills, call === null ? [] : [call], draft);
}

/** Returns the reply to a message that asks the documents nothing; null for any other message. */
async function replyToSmallTalk(
  dependencies: Dependencies,
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

function readQuestions(
  { complete, database }: Dependencies,
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
  const phrases =
    complete &&
    ((text: string, language: string | null) =>
      writeSearchPhrases(complete, { question, text, language }, draft));
  return createPartReadings(input, rewrite, sample, phrases);
}
