import { z } from 'zod';
import { toStorableText } from '../../../base/text.ts';
import type { SkillReply } from './call-skill.ts';
import { truncateAtWord } from './parameters.ts';

interface ReadReply {
  readonly reply: string | null;
  readonly finding: string | null;
}

const MAX_REPLY_CHARACTERS = 2_000;
const MAX_FINDING_CHARACTERS = 8_000;

const replySchema = z.object({ say: z.string().transform(cleanText).pipe(z.string().min(1)) });
const message = z.string().transform(cleanText).pipe(z.string().min(1));
const refusalSchema = z.union([
  z.object({ error: z.object({ message }) }).transform(({ error }) => error.message),
  z.object({ message }).transform((refusal) => refusal.message),
]);

/** Parses the response of a skill's server. Returns null if the server failed or the response is not understood. */
export function parseReply({ status, contentType, bytes }: SkillReply): ReadReply | null {
  const text = decode(bytes);
  if (text === null) return null;
  const json = parse(text);
  if (status >= 400 && status <= 499) {
    const { data } = refusalSchema.safeParse(json?.value);
    return data === undefined ? null : toFinding(data);
  }
  if (status < 200 || status > 299) return null;
  if (text.trim() === '') return toFinding('It was done.');
  if (json === null) return isPlainText(contentType) ? toFinding(cleanText(text)) : null;
  const { data: saying } = replySchema.safeParse(json.value);
  return saying === undefined
    ? toFinding(describeJson(text))
    : { reply: truncateAtWord(saying.say, MAX_REPLY_CHARACTERS), finding: null };
}

function toFinding(text: string): ReadReply {
  return { reply: null, finding: truncateAtWord(text, MAX_FINDING_CHARACTERS) };
}

/** Formats JSON in one line if it fits, otherwise with one value per line so that truncation cuts between values. */
function describeJson(json: string): string {
  const compact = compactJson(json);
  return Array.from(compact).length <= MAX_FINDING_CHARACTERS ? compact : compactJson(json, ',\n');
}

/** HTML is excluded: it comes from proxies and login pages instead of the skill. */
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
 * Removes white space between the values of valid JSON and separates them by `comma`. Numbers stay as written: parsing
 * would change the last digits of a long order number.
 */
function compactJson(json: string, comma = ','): string {
  return json.replace(stringOrRest, (part, string?: string) => {
    if (string !== undefined) return JSON.stringify(toStorableText(String(JSON.parse(string))));
    return part === ',' ? comma : '';
  });
}
