import { ANSWER_THRESHOLD } from '../knowledge/confidence.ts';
import type { SearchResult } from '../knowledge/search.ts';
import { type Acted, actForVisitor } from './acting/act-for-visitor.ts';
import type { Finding } from './acting/finding-passage.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { bestScore } from './best-score.ts';
import type { EngineDependencies } from './engine.ts';
import { fallBack } from './fall-back.ts';
import type { Question } from './question.ts';
import { quoteInstead } from './quote-instead.ts';
import { quotePassages } from './quote-passages.ts';
import type { UsablePassage } from './source-of.ts';
import { writeFreely } from './write-freely.ts';

type Dependencies = Pick<EngineDependencies, 'writer' | 'complete'>;

interface Material {
  readonly question: Question;
  /** Null where nothing was searched. */
  readonly found: SearchResult | null;
  /** Of skills that ran already. */
  readonly findings: readonly Finding[];
}

/** Writes the answer, or that there is none. */
export async function writeAnswer(
  dependencies: Dependencies,
  { question, found, findings }: Material,
  draft: AnswerDraft,
): Promise<void> {
  const usable = found?.ranked.slice(0, question.topK) ?? [];
  const isFound = bestScore(found) >= ANSWER_THRESHOLD;
  const allowed = isFound || question.strictness === 'fallback' ? usable : null;
  if (dependencies.writer !== null) {
    await writeWithModel(dependencies, { question, found, passages: allowed, findings }, draft);
  } else if (found !== null && isFound) await quotePassages(found, usable, draft);
  if (draft.isEmpty) await fallBack(question, usable, draft);
}

interface ModelMaterial {
  readonly question: Question;
  /** What the model may draw on; null where it may only act. */
  readonly passages: readonly UsablePassage[] | null;
  readonly findings: readonly Finding[];
}

/**
 * Where the model that sees the passages wants something done, that is decided again without them, by the visitor's own
 * words: nothing that stands in a document can make anything happen.
 */
async function writeWithModel(
  dependencies: Dependencies,
  { question, found, passages, findings }: ModelMaterial & Pick<Material, 'found'>,
  draft: AnswerDraft,
): Promise<void> {
  const mayAct = findings.length === 0 && question.skills.skills.length > 0;
  if (passages !== null || findings.length > 0) {
    try {
      const wantsAction = await write(dependencies, { question, passages, findings, mayAct }, draft);
      if (!wantsAction) return;
    } catch (error) {
      if (findings.length > 0) throw error;
      return quoteInstead({ question, found, error }, draft);
    }
  } else if (!mayAct) return;
  const acted = await actForVisitor(dependencies.complete, question, draft);
  await tellWhatWasDone(acted, draft);
  if (acted.findings.length === 0 && (acted.says !== '' || passages === null)) return;
  await write(dependencies, { question, passages, findings: acted.findings, mayAct: false }, draft);
}

async function tellWhatWasDone({ says }: Acted, draft: AnswerDraft): Promise<void> {
  if (says === '') return;
  draft.restOn({ confidence: 'high', sources: [] });
  draft.beginParagraph();
  await draft.say(says);
}

/**
 * True where the model wants something done instead. What it writes that does not rest on the passages is marked so,
 * or, where that is not allowed, taken back.
 */
async function write(
  { writer }: Dependencies,
  material: ModelMaterial & { readonly mayAct: boolean },
  draft: AnswerDraft,
): Promise<boolean> {
  if (writer === null) return false;
  const { question, passages, findings } = material;
  const before = draft.answer().text;
  draft.beginParagraph();
  const { isGrounded, wantsAction } = await writeFreely(
    writer,
    { ...material, usable: passages ?? [] },
    draft,
  );
  if (wantsAction) return true;
  const wrote = draft.answer().text !== before;
  if (isGrounded && wrote && findings.length > 0) draft.restOn({ confidence: 'high' });
  if (isGrounded || !wrote) return false;
  if (question.strictness === 'fallback') draft.restOn({ confidence: 'low', sources: [] });
  else await fallBack(question, passages ?? [], draft);
  return false;
}
