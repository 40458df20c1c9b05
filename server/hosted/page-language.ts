import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ChosenTexts, chooseTexts } from '../widget/texts/choose-texts.ts';

const querySchema = z.object({ lang: z.string().optional().catch(undefined) });

/** The language the page's address names, else the first one of the browser's list that the page speaks. */
export function pageLanguage({ query, headers }: FastifyRequest): ChosenTexts {
  const { lang } = querySchema.parse(query ?? {});
  return chooseTexts(lang === undefined ? (headers['accept-language'] ?? '').split(',') : [lang]);
}

/** Of an address: proxies and browsers take at least this much. */
const longestAddress = 4_000;

/**
 * The address of the page at `path`, in the language that the request's own address names, if it names one; with what is
 * to stand in the field, unless that makes it too long.
 */
export function pageAddress(
  path: string,
  { query }: FastifyRequest,
  { draft = '' }: { readonly draft?: string } = {},
): string {
  const { lang } = querySchema.parse(query ?? {});
  const parameters = new URLSearchParams({ ...(lang !== undefined && { lang }) });
  const plain = parameters.size === 0 ? path : `${path}?${parameters}`;
  if (draft === '') return plain;
  parameters.set('draft', draft);
  const whole = `${path}?${parameters}`;
  return whole.length > longestAddress ? plain : whole;
}
