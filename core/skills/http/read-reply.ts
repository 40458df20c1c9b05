import { z } from 'zod';
import { toStorableText } from '../../text.ts';
import type { SkillReply } from './call-skill.ts';
import { truncateAtWord } from './parameters.ts';

interface ReadReply {
  readonly reply: string | null;
  readonly finding: string | null;
}

const MAX_SAID_CHARACTERS = 2_000;
const MAX_FOUND_CHARACTERS = 8_000;

const sayingSchema = z.object({ say: z.string().transform(cleanText).pipe(z.string().min(1)) });
const message = z.string().transform(cleanText).pipe(z.string().min(1));
const refusalSchema = z.union([
  z.object({ error: z.object({ message }) }).transform(({ error }) => error.message),
  z.object({ message }).transform((refusal) => refusal.message),
]);

/** What a skill's server means by its answer; null where that cannot be told, or it has failed. */
export function parseReply({ status, contentType, bytes }: SkillReply): ReadReply | null {
  const text = decode(bytes);
  if (text === null) return null;
  const json = parse(text);
  if (status >= 400 && status <= 499) {
    const { data } = refusalSchema.safeParse(json?.value);
    return data === undefined ? null : found(data);
  }
  if (status < 200 || status > 299) return null;
  if (text.trim() === '') return found('It was done.');
  if (json === null) return isPlainText(contentType) ? found(cleanText(text)) : null;
  const { data: saying } = sayingSchema.safeParse(json.value);
  return saying === undefined
    ? found(describeJson(text))
    : { reply: truncateAtWord(saying.say, MAX_SAID_CHARACTERS), finding: null };
}

function found(text: string): ReadReply {
  return { reply: null, finding: truncateAtWord(text, MAX_FOUND_CHARACTERS) };
}

/** In one line where that fits; else with each value in a line of its own, at which it is cut. */
function describeJson(json: string): string {
  const compact = compactJson(json);
  return Array.from(compact).length <= MAX_FOUND_CHARACTERS ? compact : compactJson(json, ',\n');
}

/** Pages are what proxies and logins answer with: nothing that a visitor asked for. */
function isPlainText(contentType: string | null): boolean {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';');
  return contentType === null || (type.startsWith('text/') && type.trim() !== 'text/html');
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function cleanText(text: string): string {
  return toStorableText(text).trim();
}

const stringOrRest = /("(?:[^"\\]|\\.)*"?)|\s+|,/gs;

/**
 * Valid JSON without what is between its values; `comma` is what separates them. Numbers stay as they are written:
 * parsed, the last digits of a long order number would be others.
 */
function compactJson(json: string, comma = ','): string {
  return json.replace(stringOrRest, (part, string?: string) => {
    if (string !== undefined) return JSON.stringify(toStorableText(String(JSON.parse(string))));
    return part === ',' ? comma : '';
  });
}
