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
  return slashed ?? (Object.hasOwn(words, text.toUpperCase()) ? (words[text.toUpperCase()] ?? null) : null);
}
