import type { Source } from '../../contract/answer.ts';
import { searchRules } from '../../knowledge/rules.ts';
import type { SearchResult } from '../../knowledge/search.ts';
import { missingPartMessage } from '../../language/localised-texts.ts';
import { bestScore, selectSources, takeInTurn, type UsablePassage } from '../answer.ts';
import type { FoundPart } from '../asked.ts';
import { answerRules } from '../rules.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';
import { chooseSentences } from './choose-sentences.ts';

interface Quotes {
  /** Empty if no question is answered. */
  readonly text: string;
  readonly sources: readonly Source[];
  /** The best score for each answered question. */
  readonly scores: readonly number[];
}

/**
 * Quotes an answer to each question, below the question if there are several, and names the questions without one. Pure.
 */
export function quoteParts(parts: readonly FoundPart[], topK: number): Quotes {
  const quoted = parts.map((part) => ({ part, ...quotePart(part, topK) }));
  const answered = quoted.filter(({ text }) => text !== '');
  const scores = answered.map(({ part }) => bestScore(part.found));
  const [only] = quoted;
  if (only === undefined || answered.length === 0) return { text: '', sources: [], scores: [] };
  if (quoted.length === 1) return { text: only.text, sources: only.sources, scores };
  const byText = Map.groupBy(quoted, ({ text, part }) => (text === '' ? part : text));
  const paragraphs = [...byText.values()].map((same) => {
    const questions = same.map(({ part }) => `**${part.label}**`).join('\n');
    const [first] = same;
    return `${questions}\n${first?.text || missingPartMessage(first?.part.label ?? '')}`;
  });
  return { text: paragraphs.join('\n\n'), sources: mergeSources(answered), scores };
}

/** Returns the sentences that answer a question, without links to foreign hosts. */
function quotePart({ found, text }: FoundPart, topK: number): Pick<Quotes, 'text' | 'sources'> {
  if (bestScore(found) < searchRules.answerThreshold) return { text: '', sources: [] };
  return quotePassages(found, found.ranked.slice(0, topK), text);
}

function quotePassages(
  { question, statistics }: SearchResult,
  usable: readonly UsablePassage[],
  message: string,
): Pick<Quotes, 'text' | 'sources'> {
  const chosen = chooseSentences(question, usable, statistics, message);
  if (chosen.text === '') return { text: '', sources: [] };
  const quoted = new Set(chosen.sentences.map((sentence) => sentence.chunkId));
  const guard = new LinkGuard(sourceLinks(usable.map(({ url, body }) => ({ url, text: body }))));
  return {
    text: guard.push(chosen.text) + guard.end(),
    sources: selectSources(usable, ({ chunkId }) => quoted.has(chunkId)),
  };
}

/** Returns sources of every question, the best of each first, in the order of their scores. */
function mergeSources(answered: readonly Pick<Quotes, 'sources'>[]): readonly Source[] {
  const lists = answered.map(({ sources }) => sources);
  const merged = takeInTurn(lists, ({ chunkId }) => chunkId, answerRules.sources);
  return merged.toSorted((one, other) => other.score - one.score);
}
