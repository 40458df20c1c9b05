import type { Fields } from './fields-schema.ts';
import type { Medium, Word } from './medium.ts';

const OPT_OUT_TYPES = { STOP: 'opt-out', START: 'opt-in', HELP: 'left-to-twilio' } as const;
const SLASHED = { '/human': 'human', '/help': 'help', '/start': 'start' } as const;

/** What a message means that is one word. "Stop texting me" is no such word, and neither is "No, stop". */
export function wordOf(
  { Body, OptOutType, NumMedia }: Pick<Fields, 'Body' | 'OptOutType' | 'NumMedia'>,
  { words }: Medium,
): Word | 'opt-in' | null {
  if (OptOutType !== null) return OPT_OUT_TYPES[OptOutType];
  if (Number(NumMedia ?? 0) > 0) return null;
  const text = (Body ?? '').trim();
  const slashed = Object.entries(SLASHED).find(([word]) => text.toLowerCase() === word)?.[1];
  const meaning = (word: string) => (Object.hasOwn(words, word) ? (words[word] ?? null) : null);
  const exact = slashed ?? meaning(text.toUpperCase());
  if (exact !== null) return exact;
  const bared = meaning(bare(text));
  // Twilio answers nothing but the word itself: somebody has to answer "Help!".
  return bared === 'left-to-twilio' ? 'help' : bared;
}

/** As it was meant: "Stop!" is no other word for its mark, nor for what a keyboard puts around it unseen. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/^[\p{P}\p{Z}\p{Cc}]+|[\p{P}\p{Z}\p{Cc}]+$/gu, '')
    .toUpperCase();
}
