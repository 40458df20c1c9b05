import { plainText } from '../../../core/knowledge/passage.ts';
import { splitSentences } from '../../../core/language/sentences.ts';
import type { ChatRequest } from '../scripted-model.ts';
import { isTold } from './grade-visit.ts';
import { type VisitorMessage, wantedStrings } from './visitor-message.ts';

export interface PerfectModel {
  readonly reply: (request: ChatRequest) => string;
  /** The messages whose needed passages were among those that the model read. */
  readonly reached: ReadonlySet<string>;
}

const PASSAGE = /<passage number="(\d+)" from="([^"\n]*)">\n([\s\S]*?)\n<\/passage>/gu;
const QUESTION = /<question>\n([\s\S]*?)\n<\/question>/u;
const NUMBERED = /<question number="\d+">/gu;

/**
 * Returns a model that knows the messages. It rewrites and translates them when it is asked to, answers from the passages
 * with their numbers, and admits that they hold no answer.
 */
export function createPerfectModel(messages: readonly VisitorMessage[]): PerfectModel {
  const reached = new Set<string>();
  const reply = ({ messages: sent }: ChatRequest): string => {
    const last = sent.at(-1)?.content ?? '';
    const system = sent[0]?.content ?? '';
    const asked = QUESTION.exec(last)?.[1]?.trim() ?? '';
    const known =
      messages.find(({ message }) => message === asked) ??
      messages.find(({ message }) => message.includes(asked));
    if (known === undefined) return system.startsWith('You rewrite') ? asked : 'NO_ANSWER';
    if (system.startsWith('You rewrite')) return known.standalone ?? asked;
    if (!system.startsWith('You answer questions')) return 'NONE';
    const passages = Array.from(last.matchAll(PASSAGE), ([, number = '', from = '', text = '']) => ({
      ...{ number, from, text: plainText(text) },
    }));
    const wanted = wantedStrings(known);
    const lines = wanted.map((text, index) => {
      const needed = known.evidence[known.evidence.length === 1 ? 0 : index] ?? [];
      return quote(
        text,
        wanted,
        passages.filter((passage) => isNeeded(passage, needed)),
      );
    });
    if (wanted.length > 0 && !lines.includes(null)) reached.add(known.message);
    return arrange(lines, last.match(NUMBERED)?.length ?? 0);
  };
  return { reply, reached };
}

interface NumberedPassage {
  readonly number: string;
  /** The document's title and the headings. */
  readonly from: string;
  readonly text: string;
}

const SEPARATOR = ' > ';

/** Whether a passage is one of those that are needed. */
function isNeeded({ from, text }: NumberedPassage, needed: readonly string[]): boolean {
  if (needed.length === 0) return true;
  return needed.some((evidence) => {
    const end = evidence.indexOf(SEPARATOR);
    const [document, sentence] = [evidence.slice(0, end), evidence.slice(end + SEPARATOR.length)];
    return `${from}${SEPARATOR}`.startsWith(`${document}${SEPARATOR}`) && isTold(sentence, text);
  });
}

/** Returns the sentence that holds the text, from the passage that holds most of what is wanted. */
function quote(text: string, wanted: readonly string[], passages: readonly NumberedPassage[]): string | null {
  const held = (passage: NumberedPassage) => wanted.filter((one) => isTold(one, passage.text)).length;
  const [best] = passages
    .filter((passage) => isTold(text, passage.text))
    .toSorted((one, other) => held(other) - held(one));
  if (best === undefined) return null;
  const sentence = splitSentences(best.text).find((one) => isTold(text, one)) ?? best.text;
  return `${sentence.trim()} [${best.number}]`;
}

function arrange(lines: readonly (string | null)[], parts: number): string {
  if (lines.length === 0 || lines.every((line) => line === null)) return 'NO_ANSWER';
  if (parts === 0) return [...new Set(lines)].filter((line) => line !== null).join('\n');
  return Array.from({ length: parts }, (_, part) => {
    const own = lines.filter((_, index) => Math.min(index, parts - 1) === part);
    const told = [...new Set(own)].filter((line) => line !== null);
    return `PART_${part + 1}\n${told.length === 0 ? 'NO_ANSWER' : told.join('\n')}`;
  }).join('\n');
}
