import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';

export function channelRemove(commandLine: CommandLine) {
  return describeCommand('remove', {
    summary: 'remove a channel',
    about: [
      'Removes a channel with its credentials: what is written there is not answered any more, and the platform is',
      'told so. Its conversations stay. This cannot be undone.',
    ].join(' '),
    examples: [
      ['channel remove chan_01k9', 'in the only workspace'],
      ['channel remove chan_01k9 --workspace Shop', 'in one of several'],
    ],
    failure: 'refused or failed, for instance because there is no such channel',
  })
    .argument('<id>', 'its id, from channel list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          await api.call('DELETE', `${path}/${encodeURIComponent(id)}`);
          output.result({ id, removed: true }, () => output.line(`Removed ${id}.`));
        },
      }),
    );
}
