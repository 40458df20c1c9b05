import { channelAnswer, tellWidget } from '../channel-answer.ts';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';

export function channelShow(commandLine: CommandLine) {
  return describeCommand('show', {
    summary: 'show a channel',
    about:
      'Shows all that is known of a channel: status, settings, where its platform posts, and who it is there. Never its credentials.',
    examples: [
      ['channel show chan_01k9', 'in the only workspace'],
      ['channel show chan_01k9 --workspace Shop --json', 'in one of several, for programs'],
    ],
    failure: 'refused or failed, for instance because there is no such channel',
  })
    .argument('<id>', 'its id, from channel list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const channel = channelAnswer.parse(await api.call('GET', `${path}/${encodeURIComponent(id)}`));
          output.result(channel, () => output.record(channel));
          tellWidget(channel, output);
        },
      }),
    );
}
