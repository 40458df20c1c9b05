import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ChosenTexts, chooseTexts } from '../widget/texts/choose-texts.ts';

const querySchema = z.object({ lang: z.string().optional().catch(undefined) });

/** The language the page's address names, else the first one of the browser's list that the page speaks. */
export function pageLanguage({ query, headers }: FastifyRequest): ChosenTexts {
  const { lang } = querySchema.parse(query ?? {});
  return chooseTexts(lang === undefined ? (headers['accept-language'] ?? '').split(',') : [lang]);
}

/** The address of the page at `path`, in the language that the request's own address names, if it names one. */
export function pageAddress(path: string, { query }: FastifyRequest): string {
  const { lang } = querySchema.parse(query ?? {});
  return lang === undefined ? path : `${path}?${new URLSearchParams({ lang })}`;
}
