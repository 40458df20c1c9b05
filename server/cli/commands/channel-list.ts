import type { z } from 'zod';
import { channelAnswer } from '../channel-answer.ts';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { shortTime } from '../output/short-time.ts';
import { readAll } from '../read-all.ts';

type Channel = z.output<typeof channelAnswer>;

export function channelList(commandLine: CommandLine) {
  return describeCommand('list', {
    summary: 'list the channels of a workspace',
    about:
      'Lists the channels, the newest first, with when their platform was last heard of and what it complains about.',
    examples: [
      ['channel list', 'of the only workspace'],
      ['channel list --workspace Shop --json', 'of one of several, for programs'],
    ],
    failure: 'refused or failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const channels = await readAll(api, path, { name: 'channels', item: channelAnswer });
          output.result({ channels }, () => {
            if (channels.length === 0) {
              output.line('There is no channel. Add one: npm run parley -- channel add --help');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'CHANNEL', cell: ({ channel }) => channel },
                { heading: 'NAME', cell: ({ name }) => name, flexible: true },
                ...(channels.some(({ parent }) => parent !== null)
                  ? [
                      { heading: 'PARENT', cell: (channel: Channel) => channel.parent ?? '' },
                      { heading: 'TENANT', cell: (channel: Channel) => channel.tenant ?? '', flexible: true },
                    ]
                  : []),
                { heading: 'STATUS', cell: ({ enabled, status }) => (enabled ? status : 'off') },
                { heading: 'HEARD', cell: (channel) => shortTime(channel.heard_at) || 'never' },
                { heading: 'ERROR', cell: (channel) => channel.last_error ?? '', flexible: true },
              ],
              channels,
            );
          });
        },
      }),
    );
}
