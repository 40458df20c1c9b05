import type { Kysely } from 'kysely';
import { humanSkill } from '../../contract/skill.ts';
import { ReadableDocuments } from '../../knowledge/documents/readable-documents.ts';
import { searchRules } from '../../knowledge/rules.ts';
import { fallbackMessage } from '../../language/localised-texts.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { takeInTurn, toSource } from '../answer.ts';
import type { FoundPart } from '../asked.ts';
import type { Question } from '../question.ts';
import { answerRules } from '../rules.ts';
import { runSkill } from '../run-skills.ts';
import { joinSentences, topicsSentence } from '../small-talk/replies.ts';
import type { AnswerDraft } from './answer-draft.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
}

interface Unanswered {
  readonly question: Question;
  readonly parts: readonly FoundPart[];
  /** Whether a curated answer calls a person for the question. */
  readonly callsPerson?: boolean;
}

/**
 * Writes the fallback message. If the workspace escalates after a number of consecutive fallbacks, or a curated answer
 * wants that, also requests an agent.
 */
export async function writeFallback(
  dependencies: Dependencies,
  { question, parts, callsPerson = false }: Unanswered,
  draft: AnswerDraft,
): Promise<void> {
  const lists = parts.map(({ found }) =>
    found.ranked.filter(({ score }) => score >= searchRules.relatedThreshold),
  );
  const most = Math.min(answerRules.nearMisses, question.topK);
  const nearMisses = takeInTurn(lists, ({ chunkId }) => chunkId, most);
  const sources = nearMisses.toSorted((one, other) => other.score - one.score).map(toSource);
  draft.restOn({ kind: 'fallback', sources });
  draft.beginParagraph();
  const namesTopics = nearMisses.length === 0;
  await draft.say(
    question.fallbackMessage ?? (await ownMessage(dependencies, { question, namesTopics }, draft)),
  );
  if (callsPerson) await callPerson(question, 'A curated answer hands this question to a person.', draft);
  else await requestPerson({ question, consecutive: question.skills.fallbacks + 1 }, draft);
}

interface Unhelped {
  readonly question: Question;
  /** The number of answers in a row that did not help. */
  readonly consecutive: number;
}

/** Requests an agent if the workspace escalates after so many answers in a row that did not help. */
export async function requestPerson({ question, consecutive }: Unhelped, draft: AnswerDraft): Promise<void> {
  const { escalateAfter } = question.skills;
  if (escalateAfter === null || consecutive < escalateAfter) return;
  await callPerson(question, `No answer was found, ${consecutive} times in a row.`, draft);
}

/** Requests an agent, unless the conversation has one or the workspace offers none. */
async function callPerson({ skills: set }: Question, reason: string, draft: AnswerDraft): Promise<void> {
  const person = set.skills.find(({ name }) => name === humanSkill);
  if (person === undefined || set.moment.withPerson) return;
  const given = { reason };
  const { reply } = await runSkill(set, { skill: person, given }, draft, 'engine');
  draft.beginParagraph();
  if (reply !== null) await draft.say(reply);
}

/** Returns the built-in message. It names what can be asked, unless pages that may help are shown. */
async function ownMessage(
  dependencies: Dependencies,
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
  { database }: Dependencies,
  { question, language }: { readonly question: Question; readonly language: string },
  draft: AnswerDraft,
): Promise<readonly string[]> {
  if (!question.searches) return [];
  const documents = new ReadableDocuments(database, question.audience);
  return draft.wait(documents.topics(question.workspaceId, { documentIds: question.documentIds, language }));
}
