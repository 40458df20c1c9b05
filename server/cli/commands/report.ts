import { readFile } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { verifyReport } from '../../../core/insights/report/verify-report.ts';
import { type CommandLine, createCommand } from '../command.ts';
import { CommandError } from '../command-error.ts';
import type { Output } from '../output.ts';

/** Larger than any report. */
const MAX_BYTES = 4_000_000;

const keyResponse = z.looseObject({ public_key: z.string() });

export function report(commandLine: CommandLine) {
  return new Command('report')
    .summary('verify signed monthly files')
    .description('The signed monthly files of workspaces.')
    .addCommand(verify(commandLine));
}

function verify(commandLine: CommandLine) {
  return createCommand('verify', {
    summary: 'check that a monthly file is as an installation signed it',
    about: [
      'Checks the signature of a monthly file, and that its numbers fit each other. Give the public key of the installation',
      'that signed it, from /.well-known/parley-report-key.json. Without --key it is the key of this installation.',
    ].join(' '),
    examples: [
      ['report verify parley-report-2026-03.json', 'a file of this installation'],
      ['report verify report.json --key MCowBQYDK2VwAyEA…', 'a file of another installation'],
    ],
    failure: 'the file is not as it was signed, or the command failed',
  })
    .argument('<file>', 'the file')
    .option('--key <key>', 'the public key, in Base64')
    .action(async (file, { key, ...options }) => {
      const text = await readReport(file);
      if (key !== undefined) {
        judge(text, key);
        commandLine.print(options, printValid);
        return;
      }
      await commandLine.execute(options, {
        async run({ api, output }) {
          const found = keyResponse.parse(await api.call('GET', '/.well-known/parley-report-key.json'));
          judge(text, found.public_key);
          printValid(output);
        },
      });
    });
}

async function readReport(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CommandError(`${file} cannot be read: ${String(error.code)}.`, { code: 'unreadable_file' });
  });
  if (bytes.byteLength > MAX_BYTES) {
    throw new CommandError(`${file} is larger than any report.`, { code: 'unreadable_file' });
  }
  return bytes.toString('utf8');
}

function judge(text: string, key: string): void {
  const faults = verifyReport(text, key);
  if (faults.length > 0) throw new CommandError(faults.join(' '), { code: 'report_refused' });
}

function printValid(output: Output): void {
  output.result({ valid: true }, () => output.note('The file is as it was signed.'));
}
