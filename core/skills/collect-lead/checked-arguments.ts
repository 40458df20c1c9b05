import { z } from 'zod';
import type { SkillCustomer, SkillMoment } from '../../contract/skill.ts';
import { fold } from '../../knowledge/fold.ts';
import { readEmails } from './read-emails.ts';

const text = z.string().trim().min(1).max(254).nullable().catch(null);
const argumentsSchema = z.object({ name: text, email: text, phone: text });
const DIGITS = /\+?\d(?:[\s()./–-]{0,3}\d){6,14}/gu;

/** Of the arguments that a model gave, those that stand in the visitor's own words; the others are dropped. */
export function checkedArguments(given: unknown, { question, earlierQuestions }: SkillMoment): SkillCustomer {
  const { data } = argumentsSchema.safeParse(given);
  const said = [...earlierQuestions, question];
  return {
    name: data?.name && said.some((words) => holdsWords(words, data.name ?? '')) ? data.name : null,
    email: emailIn(said, data?.email ?? null),
    phone: phoneIn(said, data?.phone ?? null),
  };
}

function holdsWords(words: string, name: string): boolean {
  const plain = (value: string) => ` ${(fold(value).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  return plain(name).trim() !== '' && plain(words).includes(plain(name));
}

function emailIn(said: readonly string[], email: string | null): string | null {
  if (email === null) return null;
  const found = said.flatMap(readEmails).map(({ text: address }) => address);
  return found.find((address) => address.toLowerCase() === email.toLowerCase()) ?? null;
}

function phoneIn(said: readonly string[], phone: string | null): string | null {
  const digits = phone?.replace(/\D/gu, '') ?? '';
  const found = said.flatMap((words) => words.match(DIGITS) ?? []);
  return found.find((number) => number.replace(/\D/gu, '') === digits) ?? null;
}
