import { truncateText } from '../../base/text.ts';
import { detectLanguage } from '../../language/language.ts';
import { questionStopWords, STOP_WORDS } from '../../language/stop-words.ts';
import { isUnspaced } from '../../language/tokens.ts';
import { fold, splitWords } from '../../language/words.ts';
import { answerRules } from '../rules.ts';
import { findLinks } from '../safety/addresses.ts';
import { followUpSigns } from './follow-up-signs.ts';

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
  for (const piece of lines.flatMap((line) => splitLine(line, code))) {
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

/** Splits a line after each question mark, and between questions that a conjunction joins. */
function splitLine(line: string, code: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of line.matchAll(QUESTION_END)) {
    pieces.push(line.slice(start, index + mark.length));
    start = index + mark.length;
  }
  pieces.push(line.slice(start));
  return pieces
    .map((piece) => piece.replace(/\s+/gu, ' ').trim())
    .filter((piece) => piece !== '')
    .flatMap((piece) => splitJoined(piece, code));
}

const isMarked = (piece: string) => /[?？؟]["'”’»)\]]*$/u.test(piece);

function opensQuestion(piece: string, code: string): boolean {
  if (piece.length > answerRules.unmarkedCharacters || ENDS_SENTENCE.test(piece)) return false;
  return followUpSigns(code)?.questions.test(piece) === true;
}

/** The conjunction between two questions, before the opening of the second, by language (ISO 639-1). */
const JOINTS: Readonly<Record<string, RegExp>> = {
  en: /,? (?:and|but|also) (?:also )?(?=(?:how|what|when|where|who|why|which|(?:can|could|do|does|did|is|are|was|should|may|will|would|must|has|have) (?:i|you|we|it|they|there|the|an?|my|your|this|that|these|those))\b)/iu,
  de: /,? und (?:auch )?(?=(?:wie|was|wann|wo|wer|warum|welche[rsnm]?|wieso|woher|wohin|(?:kann|können|ist|sind|muss|darf|gibt|hat|haben|wird|soll) (?:ich|man|sie|es|wir|ihr|die|der|das|mein|eine?))(?!\p{L}))/iu,
  es: /,? y (?:también )?(?=¿?(?:cómo|qué|cuándo|dónde|quién|cuál|cuáles|cuánt[oa]s?|por qué|puedo|hay)(?!\p{L}))/iu,
  fr: /,? et (?:aussi )?(?=(?:comment|que|quand|où|qui|pourquoi|quel(?:le)?s?|combien|est-ce|puis-je|peut-on|y a-t-il)(?!\p{L}))/iu,
  it: /,? ed? (?:anche )?(?=(?:come|che|cosa|quando|dove|chi|perché|qual[ei]?|quant[oaie]|posso)(?!\p{L}))/iu,
  pt: /,? e (?:também )?(?=(?:como|que|quando|onde|quem|por que|qual|quais|quant[oa]s?|posso|há)(?!\p{L}))/iu,
  nl: /,? en (?:ook )?(?=(?:hoe|wat|wanneer|waar|wie|waarom|welke?|hoeveel|kan ik|is er)(?!\p{L}))/iu,
};

function splitJoined(piece: string, code: string): readonly string[] {
  const joint = JOINTS[code] ?? JOINTS.en;
  const found = joint?.exec(piece);
  if (found == null || !(isMarked(piece) || followUpSigns(code)?.questions.test(piece))) return [piece];
  const first = piece.slice(0, found.index);
  const rest = piece.slice(found.index + found[0].length);
  if (!isSubstantial(first, code) || !isSubstantial(rest, code)) return [piece];
  return [`${first}?`, ...splitJoined(rest, code)];
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
const EMPTY_WORDS = new Set(
  'please thanks thank hello hi hey also much many long take takes cost costs work works know ok'.split(' '),
);

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
const COMPARISON =
  /(?:differences? between|compare|unterschiede? zwischen|vergleiche|diferencias? entre|différences? entre|diferenças? entre|differenz[ae] tra|verschil(?:len)? tussen) /iu;
const BETWEEN = / (?:and|with|to|und|mit|y|et|e|en|vs\.?|versus) /iu;
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
