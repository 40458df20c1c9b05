/** What a sentence needs beside it to be understood. */
export type SentenceRole =
  /** Says something by itself. */
  | 'statement'
  /** Asks, names a topic, or announces what another passage holds: no answer by itself. */
  | 'heading'
  /** Announces a list: `You need:`. */
  | 'lead-in'
  /** One point of a list, or one row of a table as `column: value` pairs. */
  | 'item'
  /** Begins with a word that points to the sentence before. */
  | 'continuation';

const ITEM = /^\s*(?:[-*+•‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+/u;
const ROW = /^[^:;.!?]{1,60}: [^;]+; [^:;.!?]{1,60}: /u;
const LEAD_IN = /[:：]["'”»)]*$/u;
const QUESTION = /(?:[?？؟]|\p{Script=Greek}[;\u037e])["'”»)]*$/u;
/** Scripts whose sentences end with a mark, so that a line without one is no sentence. */
const MARKED_SCRIPT = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
const END = /$(?<=[.!…。！।][^\p{L}\p{N}]*)/u;
const TOPIC_WORDS = 8;
const CONTINUATION =
  /^["'“(]?(?:(?:it|its|this|that|these|those|they|their|he|she|his|her|such|however|therefore|thus|otherwise|but|and|also|then|instead|er|sie|es|dies(?:e[rsnm]?)?|dabei|dafür|dazu|dadurch|deshalb|außerdem|danach|sonst|aber|ihre?|seine?|il|elle|ils|elles|cel(?:a|ui|le)|cette?|ces|mais|ainsi|este|esta|esto|estos|estas|ese|esa|eso|ello|ellos|ellas|su|sus|pero|además|sin embargo|questo|questa|quest[ei]|ma|inoltre|isso|este|ele|ela|eles|elas|mas|deze|dit|dat|maar|hij|zij|daarom)(?!\p{L}))/iu;

/** `last`: whether nothing follows in the passage. */
export function sentenceRole(sentence: string, last: boolean): SentenceRole {
  if (ITEM.test(sentence) || ROW.test(sentence)) return 'item';
  if (LEAD_IN.test(sentence)) return last ? 'heading' : 'lead-in';
  if (!last && (QUESTION.test(sentence) || isTopic(sentence))) return 'heading';
  return CONTINUATION.test(sentence) ? 'continuation' : 'statement';
}

function isTopic(sentence: string): boolean {
  if (!MARKED_SCRIPT.test(sentence) || END.test(sentence) || /[\p{N}:;,]/u.test(sentence)) return false;
  return sentence.split(/\s+/u).length <= TOPIC_WORDS;
}
