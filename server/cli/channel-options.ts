import { text } from 'node:stream/consumers';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { CommandSession } from './command.ts';
import { CommandError } from './command-error.ts';

type Fields = Readonly<Record<string, unknown>>;

const fields = z.record(z.string(), z.unknown()).catch({});

/** Returns `before` with the value under this name. `a.b` is the field b of a. */
function setField(before: Fields, name: string, value: unknown): Fields {
  const [, own = name, inside] = /^([^.]+)\.(.+)$/s.exec(name) ?? [];
  if (inside === undefined) return { ...before, [own]: value };
  return { ...before, [own]: setField(fields.parse(before[own]), inside, value) };
}

/**
 * Adds one `name=value` of the command line to the fields parsed so far. The value is text, or true, false,
 * null, a list or an object. `name:=value` accepts any JSON, including numbers. `a.b=value` sets the field b
 * of a.
 */
export function parseField(arg: string, before: Fields = {}): Fields {
  const [, name = '', mark = '', text = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(arg) ?? [];
  if (name === '') throw new InvalidArgumentError('Use the form name=value.');
  const json = parseJson(text);
  if (mark === ':=' && json === undefined) throw new InvalidArgumentError('The value is not valid JSON.');
  const isText = mark === '=' && (json === undefined || ['string', 'number'].includes(typeof json));
  return setField(before, name, isText ? text : json);
}

const numberField = z.object({ type: z.enum(['number', 'integer']) });

/** Returns the fields with numbers where the JSON schema wants them and the command line gave text: `max_depth=3`. */
export function withNumbers(given: Fields, properties: Fields = {}): Fields {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
      const isNumber = Number.isFinite(number) && numberField.safeParse(properties[name]).success;
      return [name, isNumber ? number : value];
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds one `name=VARIABLE` of the command line to those parsed so far. */
export function parseVariable(
  arg: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name, variable] = /^([^=]+)=(\w+)$/.exec(arg) ?? [];
  if (name === undefined || variable === undefined)
    throw new InvalidArgumentError('Use the form name=VARIABLE.');
  return { ...before, [name]: variable };
}

export interface CredentialOptions {
  /** The credentials on the command line. */
  readonly credential?: Fields | undefined;
  /** The environment variable of each credential. */
  readonly credentialEnv?: Fields | undefined;
  readonly credentialsStdin?: true | undefined;
}

const jsonObject = z.record(z.string(), z.unknown());

/**
 * Returns the credentials from all given places. Throws a CommandError if one is missing or cannot be parsed.
 */
export async function readCredentials(
  { credential = {}, credentialEnv = {}, credentialsStdin }: CredentialOptions,
  { environment }: Pick<CommandSession, 'environment'>,
): Promise<Fields> {
  let all = credentialsStdin === true ? parseInput(await text(process.stdin)) : {};
  for (const [name, value] of Object.entries(credential)) all = { ...all, [name]: value };
  for (const [name, variable] of Object.entries(credentialEnv)) {
    const value = environment[String(variable)];
    if (value === undefined || value === '')
      throw credentialError(`The environment variable ${String(variable)} is not set.`);
    all = setField(all, name, value);
  }
  return all;
}

function parseInput(input: string): Fields {
  try {
    if (input.trimStart().startsWith('{')) return jsonObject.parse(JSON.parse(input));
    const lines = input.split(/\r?\n/).filter((line) => line.trim() !== '');
    return lines.reduce<Fields>((before, line) => parseField(line, before), {});
  } catch {
    // The message leaves out the input, because it contains secrets.
    throw credentialError('Standard input must contain a JSON object, or lines of the form name=value.');
  }
}

function credentialError(message: string): CommandError {
  return new CommandError(message, { code: 'wrong_usage', exitCode: 2 });
}
