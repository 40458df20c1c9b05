import { z } from 'zod';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { shortTime } from '../output/short-time.ts';
import { readAll } from '../read-all.ts';

const item = z.looseObject({
  id: z.string(),
  name: z.string(),
  rate_limit_minute: z.number(),
  rate_limit_day: z.number(),
  expires_at: z.string().nullable(),
  created_at: z.string(),
});

export function keyList(commandLine: CommandLine) {
  return describeCommand('list', {
    summary: 'list the API keys of a workspace',
    about:
      'Lists the keys that work or have expired, the newest first; revoked ones are gone. Values are never shown.',
    examples: [
      ['key list', 'of the only workspace'],
      ['key list --workspace Shop --json', 'of one of several, for programs'],
    ],
    failure: 'refused or failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/keys`;
          const keys = await readAll(api, path, { name: 'keys', item });
          output.result({ keys }, () => {
            if (keys.length === 0) {
              output.line('There is no key. Make one: npm run parley -- key create NAME');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'NAME', cell: ({ name }) => name, flexible: true },
                { heading: 'MINUTE', cell: (key) => key.rate_limit_minute },
                { heading: 'DAY', cell: (key) => key.rate_limit_day },
                { heading: 'EXPIRES', cell: (key) => shortTime(key.expires_at) || 'never' },
                { heading: 'CREATED', cell: (key) => shortTime(key.created_at) },
              ],
              keys,
            );
          });
        },
      }),
    );
}
