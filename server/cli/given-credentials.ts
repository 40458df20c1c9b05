import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { CommandError } from './command-error.ts';
import type { Session } from './command-line.ts';
import { readField } from './read-field.ts';
import { type Fields, withField } from './with-field.ts';

export interface CredentialOptions {
  /** As they stand on the command line. */
  readonly credential?: Fields | undefined;
  /** Of each, the variable that holds it. */
  readonly credentialEnv?: Fields | undefined;
  readonly credentialsStdin?: true | undefined;
}

const json = z.record(z.string(), z.unknown());

/** The credentials from wherever they are. Throws a CommandError for what is not there, or not understood. */
export async function givenCredentials(
  { credential = {}, credentialEnv = {}, credentialsStdin }: CredentialOptions,
  { environment }: Pick<Session, 'environment'>,
): Promise<Fields> {
  let all = credentialsStdin === true ? readInput(await text(process.stdin)) : {};
  for (const [name, value] of Object.entries(credential)) all = { ...all, [name]: value };
  for (const [name, variable] of Object.entries(credentialEnv)) {
    const value = environment[String(variable)];
    if (value === undefined || value === '') throw wrong(`The variable ${String(variable)} is absent.`);
    all = withField(all, name, value);
  }
  return all;
}

function readInput(input: string): Fields {
  try {
    if (input.trimStart().startsWith('{')) return json.parse(JSON.parse(input));
    const lines = input.split(/\r?\n/).filter((line) => line.trim() !== '');
    return lines.reduce<Fields>((before, line) => readField(line, before), {});
  } catch {
    // Without what it was: it holds secrets.
    throw wrong('Standard input takes a JSON object, or lines of name=value.');
  }
}

function wrong(message: string): CommandError {
  return new CommandError(message, { code: 'wrong_usage', exitCode: 2 });
}
