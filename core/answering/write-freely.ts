import type { AnswerWriter, WriterPassage } from '../contract/answer-writer.ts';
import type { AnswerDraft } from './answer-draft.ts';
import type { Question } from './question.ts';
import { showSources } from './show-sources.ts';
import type { UsablePassage } from './source-of.ts';

interface Material {
  readonly question: Question;
  readonly usable: readonly UsablePassage[];
}

/** Lets a writer answer in its own words; nothing is written where it finds no answer. */
export async function writeFreely(
  writer: AnswerWriter,
  { question, usable }: Material,
  draft: AnswerDraft,
): Promise<void> {
  draft.restOn({ sources: showSources(usable, () => false) });
  const deltas = writer.write({
    question: question.text,
    earlierTurns: question.earlierTurns,
    passages: usable.map(passageOf),
    signal: draft.signal,
  });
  const cited = await draft.relay(deltas);
  if (cited.size === 0) return;
  draft.restOn({
    sources: showSources(
      usable.filter(({ chunkId }) => cited.has(chunkId)),
      () => true,
    ),
  });
}

function passageOf(passage: UsablePassage): WriterPassage {
  const { chunkId, documentId, title, url, headings, body, score } = passage;
  return { chunkId, documentId, title, url, headings, text: body, score };
}
