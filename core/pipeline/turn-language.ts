import { questionLanguage } from '../knowledge/question-language.ts';
import type { VisitorTurn } from './next-step.ts';

/** ISO 639-1: of a visitor's words where they tell it, else of his screen. */
export function turnLanguage({ text, sender }: VisitorTurn): string {
  const { code } = questionLanguage(text);
  return code === 'und' ? (sender.language ?? 'en') : code;
}
