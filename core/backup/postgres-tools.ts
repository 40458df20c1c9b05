import { execFile } from 'node:child_process';
import { BackupRefusal } from './backup-refusal.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type ToolName = 'pg_dump' | 'pg_restore';

/** A program of PostgreSQL's, and how it reaches the database. */
export interface ToolCall {
  readonly name: ToolName;
  readonly args: readonly string[];
  /** DATABASE_URL. */
  readonly url: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** The text of a program that tells its progress is not kept whole. */
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;
const MAX_REASON = 300;

/** Throws a BackupRefusal unless the program is on the PATH and at least as new as the server. */
export async function requireTool(
  name: ToolName,
  serverMajor: number,
  environment: Environment,
): Promise<void> {
  const advice = `Install the client programs of PostgreSQL ${serverMajor} or newer, such as postgresql-client-${serverMajor} on Debian.`;
  const { stdout } = await new Promise<{ stdout: string }>((resolve, reject) => {
    execFile(name, ['--version'], { env: environment }, (error, out) => {
      if (error === null) resolve({ stdout: out });
      else reject(new BackupRefusal(`${name} is not on the PATH, or does not start. ${advice}`, error));
    });
  });
  const major = Number(/\b(\d{1,4})(?:\.\d|devel|beta|rc|\s|$)/.exec(stdout)?.[1] ?? 0);
  if (major < serverMajor) {
    throw new BackupRefusal(`${name} ${major} is older than the server, which is ${serverMajor}. ${advice}`);
  }
}

/** Runs the program to its end. Throws a BackupRefusal with its last line; an AbortError if the user stops it. */
export async function runTool({ name, args, url, environment, signal }: ToolCall): Promise<void> {
  const { address, password } = splitPassword(url);
  // A password among the arguments could be read by everybody on this machine.
  const env = { ...environment, ...(password !== null && { PGPASSWORD: password }), LC_ALL: 'C' };
  await new Promise<void>((resolve, reject) => {
    const all = ['--no-password', `--dbname=${address}`, ...args];
    execFile(name, all, { env, signal, maxBuffer: MAX_OUTPUT_BYTES }, (error, _out, stderr) => {
      if (error === null) resolve();
      else if (signal.aborted) reject(error);
      else reject(new BackupRefusal(`${name} failed: ${lastLine(stderr) || error.message}`, error));
    });
  });
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => /\berror: |FATAL|DETAIL/.test(line));
  const line = lines.at(-1) ?? text.trim().split('\n').at(-1) ?? '';
  return line.replace(/^pg_\w+: (?:error: )?/, '').slice(0, MAX_REASON);
}

/** Parameters that the driver understands and PostgreSQL's own programs refuse. */
const ofDriver = ['uselibpqcompat'];

function splitPassword(url: string): { readonly address: string; readonly password: string | null } {
  const parsed = new URL(url);
  const password = parsed.password === '' ? null : decodeURIComponent(parsed.password);
  parsed.password = '';
  for (const name of ofDriver) parsed.searchParams.delete(name);
  // The driver calls TLS without a check of the certificate so.
  if (parsed.searchParams.get('sslmode') === 'no-verify') parsed.searchParams.set('sslmode', 'require');
  return { address: parsed.href, password };
}
