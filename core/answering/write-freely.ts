import type { AnswerWriter, WriterPassage } from '../contract/answer-writer.ts';
import type { AnswerDraft } from './answer-draft.ts';
import type { Question } from './question.ts';
import { showSources } from './show-sources.ts';
import type { UsablePassage } from './source-of.ts';

interface Material {
  readonly question: Question;
  readonly usable: readonly UsablePassage[];
}

/**
 * Lets a writer answer in its own words; nothing is written where it finds no answer. False where what it wrote does
 * not rest on the passages.
 */
export async function writeFreely(
  writer: AnswerWriter,
  { question, usable }: Material,
  draft: AnswerDraft,
): Promise<boolean> {
  draft.restOn({ sources: showSources(usable, () => false) });
  const deltas = writer.write({
    question: question.text,
    earlierTurns: question.earlierTurns,
    summary: question.summary,
    passages: usable.map(passageOf),
    strictness: question.strictness,
    temperature: question.temperature,
    model: question.model,
    streamed: draft.isHeard,
    signal: draft.signal,
  });
  const { chunkIds, isGrounded } = await draft.relay(deltas);
  if (chunkIds.size > 0) {
    const cited = usable.filter(({ chunkId }) => chunkIds.has(chunkId));
    draft.restOn({ sources: showSources(cited, () => true) });
  }
  return isGrounded;
}

function passageOf(passage: UsablePassage): WriterPassage {
  const { chunkId, documentId, title, url, headings, body, score } = passage;
  return { chunkId, documentId, title, url, headings, text: body, score };
}
