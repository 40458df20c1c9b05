import { truncateText } from '../../base/text.ts';
import { findLanguage, joinAlternatives, uniteWords } from '../../language/find-language.ts';
import { detectLanguage } from '../../language/language.ts';
import { questionStopWords, STOP_WORDS } from '../../language/stop-words.ts';
import { isUnspaced } from '../../language/tokens.ts';
import { fold, splitWords } from '../../language/words.ts';
import { answerRules } from '../rules.ts';
import { findLinks } from '../safety/addresses.ts';

/** One of the questions in a message. */
export interface QuestionPart {
  /** The question with the statements before it. */
  readonly text: string;
  /** The question alone, to name it in the answer. */
  readonly label: string;
}

/** A question mark that ends a question, not one within an address. */
const QUESTION_END = /[?？؟]["'”’»)\]]*(?=\s|$)|[？؟]/gu;
const SENTENCE_END = /[.!…。！](?=\s)/gu;
const ENDS_SENTENCE = /[.!…。！]$/u;

/**
 * Returns the questions in a message or burst, in order; a single one if it holds no more. A question without words of
 * its own ("Really?") stays with the one before it, and a statement with the question that follows. Pure.
 */
export function splitQuestions(message: string): readonly QuestionPart[] {
  const { code } = detectLanguage(message);
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const mayBeUnmarked = lines.length <= answerRules.unmarkedLines;
  const parts: QuestionPart[] = [];
  let before = '';
  for (const piece of lines.flatMap(splitLine)) {
    const last = parts.at(-1);
    const isQuestion = isMarked(piece) || (mayBeUnmarked && lines.length > 1 && opensQuestion(piece, code));
    if (isQuestion && isSubstantial(piece, code) && parts.length < answerRules.parts) {
      parts.push({ text: `${before} ${piece}`.trim(), label: toLabel(piece) });
      before = '';
    } else if (isQuestion && last !== undefined) {
      parts[parts.length - 1] = { ...last, text: `${last.text} ${before} ${piece}` };
      before = '';
    } else before = `${before} ${piece}`.trim();
  }
  const last = parts.at(-1);
  if (last === undefined || parts.length === 1) return [{ text: message, label: message }];
  return before === '' ? parts : [...parts.slice(0, -1), { ...last, text: `${last.text} ${before}` }];
}

/** Splits a line after each question mark. */
function splitLine(line: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of line.matchAll(QUESTION_END)) {
    pieces.push(line.slice(start, index + mark.length));
    start = index + mark.length;
  }
  pieces.push(line.slice(start));
  return pieces.map((piece) => piece.replace(/\s+/gu, ' ').trim()).filter((piece) => piece !== '');
}

const isMarked = (piece: string) => /[?？؟]["'”’»)\]]*$/u.test(piece);

function opensQuestion(piece: string, code: string): boolean {
  if (piece.length > answerRules.unmarkedCharacters || ENDS_SENTENCE.test(piece)) return false;
  return findLanguage(code)?.grammar?.followUp?.questions.test(piece) === true;
}

/** Returns whether a question has words that say what it is about. */
function isSubstantial(piece: string, code: string): boolean {
  const stopWords = code === 'en' ? STOP_WORDS : questionStopWords(code);
  const words = splitWords(fold(piece));
  if (words.some(isUnspaced)) return words.join('').length >= answerRules.unspacedPartCharacters;
  return (
    words.length >= answerRules.partWords &&
    words.some((word) => !stopWords.has(word) && !EMPTY_WORDS.has(word))
  );
}

/** Words of questions that mean nothing without the question before them: "How much is it?". */
const EMPTY_WORDS = uniteWords(({ grammar }) => grammar?.emptyWords);

const MAX_LABEL_CHARACTERS = 120;
const MARKUP = /[*_`~[\]<>#|\\]/gu;

/** Returns a question as it is shown above its answer: without the sentences before it, markup and addresses. */
function toLabel(piece: string): string {
  let start = 0;
  for (const { index, 0: mark } of piece.matchAll(SENTENCE_END)) start = index + mark.length;
  let label = piece.slice(start).trim();
  for (const link of findLinks(label)) label = label.replaceAll(link, '…');
  label = label.replace(MARKUP, ' ').trim();
  return truncateText(label.charAt(0).toLocaleUpperCase() + label.slice(1), MAX_LABEL_CHARACTERS);
}

/** Words before two things that a question compares. */
const COMPARISON = new RegExp(`(?:${joinAlternatives(({ grammar }) => grammar?.comparison?.lead)}) `, 'iu');
const BETWEEN = new RegExp(
  ` (?:${joinAlternatives(({ grammar }) => grammar?.comparison?.between)}|vs\\.?|versus) `,
  'iu',
);
const VERSUS = / (?:vs\.?|versus) /iu;
const CLAUSE_END = /[?？.!,;\n]/u;

/** Returns the two things that a question compares, or none. Pure. */
export function comparedThings(question: string): readonly string[] {
  const lead = COMPARISON.exec(question);
  const compared = lead === null ? question : question.slice(lead.index + lead[0].length);
  const [clause = ''] = compared.split(CLAUSE_END);
  const joint = (lead === null ? VERSUS : BETWEEN).exec(clause);
  if (joint === null) return [];
  return [clause.slice(0, joint.index), clause.slice(joint.index + joint[0].length)].map((text) =>
    text.trim(),
  );
}
