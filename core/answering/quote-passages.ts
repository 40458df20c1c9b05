import type { SearchResult } from '../knowledge/search.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { chooseSentences } from './choose-sentences.ts';
import { LinkGuard } from './safety/link-guard.ts';
import { sourceLinks } from './safety/source-links.ts';
import { showSources } from './show-sources.ts';
import type { UsablePassage } from './source-of.ts';

/** Writes the sentences that answer, word for word but for links to foreign hosts; nothing where no sentence does. */
export async function quotePassages(
  { question, statistics }: SearchResult,
  usable: readonly UsablePassage[],
  draft: AnswerDraft,
): Promise<void> {
  const chosen = chooseSentences(question, usable, statistics);
  if (chosen.text === '') return;
  const quoted = new Set(chosen.sentences.map((sentence) => sentence.chunkId));
  draft.restOn({ sources: showSources(usable, ({ chunkId }) => quoted.has(chunkId)) });
  const guard = new LinkGuard(sourceLinks(usable.map(({ url, body }) => ({ url, text: body }))));
  await draft.say(guard.push(chosen.text) + guard.end());
}
