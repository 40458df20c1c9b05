import { text } from 'node:stream/consumers';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { CommandSession } from './command.ts';
import { CommandError } from './command-error.ts';

type Fields = Readonly<Record<string, unknown>>;

const fields = z.record(z.string(), z.unknown()).catch({});

/** `before` with a value under that name; `a.b` is the field b of a. */
function setField(before: Fields, name: string, value: unknown): Fields {
  const [, own = name, inside] = /^([^.]+)\.(.+)$/s.exec(name) ?? [];
  if (inside === undefined) return { ...before, [own]: value };
  return { ...before, [own]: setField(fields.parse(before[own]), inside, value) };
}

/**
 * Adds one `name=value` of the command line to the fields read so far. The value is text, or true, false, null, a list
 * or an object; `name:=value` takes any JSON, numbers too. `a.b=value` is the field b of a.
 */
export function parseField(given: string, before: Fields = {}): Fields {
  const [, name = '', mark = '', text = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(given) ?? [];
  if (name === '') throw new InvalidArgumentError('It takes name=value.');
  const json = parseJson(text);
  if (mark === ':=' && json === undefined) throw new InvalidArgumentError('Its value is not valid JSON.');
  const isText = mark === '=' && (json === undefined || ['string', 'number'].includes(typeof json));
  return setField(before, name, isText ? text : json);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds one `name=VARIABLE` of the command line to those read so far. */
export function parseVariable(
  given: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name, variable] = /^([^=]+)=(\w+)$/.exec(given) ?? [];
  if (name === undefined || variable === undefined) throw new InvalidArgumentError('It takes name=VARIABLE.');
  return { ...before, [name]: variable };
}

export interface CredentialOptions {
  /** As they stand on the command line. */
  readonly credential?: Fields | undefined;
  /** Of each, the variable that holds it. */
  readonly credentialEnv?: Fields | undefined;
  readonly credentialsStdin?: true | undefined;
}

const jsonObject = z.record(z.string(), z.unknown());

/** The credentials from wherever they are. Throws a CommandError for what is not there, or not understood. */
export async function readCredentials(
  { credential = {}, credentialEnv = {}, credentialsStdin }: CredentialOptions,
  { environment }: Pick<CommandSession, 'environment'>,
): Promise<Fields> {
  let all = credentialsStdin === true ? parseInput(await text(process.stdin)) : {};
  for (const [name, value] of Object.entries(credential)) all = { ...all, [name]: value };
  for (const [name, variable] of Object.entries(credentialEnv)) {
    const value = environment[String(variable)];
    if (value === undefined || value === '')
      throw credentialError(`The variable ${String(variable)} is absent.`);
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
    // Without what it was: it holds secrets.
    throw credentialError('Standard input takes a JSON object, or lines of name=value.');
  }
}

function credentialError(message: string): CommandError {
  return new CommandError(message, { code: 'wrong_usage', exitCode: 2 });
}
