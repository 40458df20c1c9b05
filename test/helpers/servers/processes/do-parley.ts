import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../../../server/cli/run-command-line.ts';
import { runIngestWorker as ingest } from '../../../../workers/ingest/worker.ts';
import type { CommandResult } from './run-parley.ts';

/** Runs a command of the command line in this process to its end; tests of the process itself use runParley. */
export async function doParley(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const written = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const code = await runCommand(args, {
    environment: { LOG_LEVEL: 'silent', ...environment },
    streams,
    signal: new AbortController().signal,
    rooms: { startIngest: ingest },
  });
  streams.stdout.end();
  streams.stderr.end();
  const [stdout, stderr] = await written;
  return { code, stdout, stderr };
}
