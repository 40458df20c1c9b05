import { z } from 'zod';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { wholeNumber } from '../whole-number.ts';

export function keyCreate(commandLine: CommandLine) {
  return describeCommand('create', {
    summary: 'make an API key',
    about: 'Makes a key for the API of a workspace. Its value is shown this one time: it is not stored.',
    examples: [
      ['key create "Website backend"', 'a key with the usual limits'],
      [
        'key create Trial --minute 10 --day 200 --expires 2030-01-31T00:00:00Z',
        'a key with limits and an end',
      ],
    ],
    failure: 'refused or failed: no key was made',
  })
    .argument('<name>', 'what you recognise it by')
    .option(...workspaceOption)
    .option('--minute <number>', 'requests a minute, 1 to 1,000', wholeNumber)
    .option('--day <number>', 'requests a day, 1 to 100,000', wholeNumber)
    .option('--expires <time>', 'an ISO 8601 time after which it is refused')
    .action((name, { workspace, minute, day, expires, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/keys`;
          const body = { name, rate_limit_minute: minute, rate_limit_day: day, expires_at: expires };
          const key = z.looseObject({}).parse(await api.call('POST', path, { body }));
          output.result(key, () => output.record(key));
          output.note('Keep the key now: it is not shown again.');
        },
      }),
    );
}
