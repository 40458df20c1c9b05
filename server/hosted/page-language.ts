import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ChosenTexts, chooseTexts } from '../widget/texts/choose-texts.ts';

const querySchema = z.object({ lang: z.string().optional().catch(undefined) });

/** Of the page's address where it names one, else the first of the browser's that there is. */
export function pageLanguage({ query, headers }: FastifyRequest): ChosenTexts {
  const { lang } = querySchema.parse(query ?? {});
  return chooseTexts(lang === undefined ? (headers['accept-language'] ?? '').split(',') : [lang]);
}
