import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const root = resolve(import.meta.dirname, '../../../..');

/** The tools send no telemetry, and make no requests. */
export const quietTools = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  CI: 'true',
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
};

/** Runs a script of the project or of a package, by its path from the root. Returns its exit code and its output. */
export async function runTool(script: string, args: readonly string[]) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', resolve(root, script), ...args],
    {
      cwd: root,
      env: quietTools,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [[code], output, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code: Number(code), said: output + errors };
}
