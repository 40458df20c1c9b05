import type { AnswerWriter, WriterPassage } from '../../contract/answer-writer.ts';
import { selectSources, type UsablePassage } from '../answer.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import type { Question } from '../question.ts';
import { type SkillFinding, toActionOffer, toFindingPassage } from '../run-skills.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';

interface Material {
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
export async function generateAnswer(
  writer: AnswerWriter,
  { question, parts, usable, findings, mayAct }: Material,
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
