import { z } from 'zod';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';

const linkAnswer = z.looseObject({ url: z.string(), expires_at: z.string() });

export function channelInstallLink(commandLine: CommandLine) {
  return describeCommand('install-link', {
    summary: 'make a link that installs the app of a channel for a workspace',
    about: [
      'Makes a link by which a person lets the app of a channel, such as a Slack app, into his own team. What is written',
      'there is answered from the workspace that --workspace names; the channel may be of another one. The link can be',
      'used once, within an hour.',
    ].join(' '),
    examples: [
      ['channel install-link chan_01k9', 'for the only workspace'],
      ['channel install-link chan_01k9 --workspace Acme', 'for a customer with a workspace of his own'],
    ],
    failure: 'refused or failed, for instance because channels of that kind are not installed by a link',
  })
    .argument('<id>', 'of the channel that has the app, from channel list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const link = linkAnswer.parse(
            await api.call('POST', `${path}/${encodeURIComponent(id)}/install-links`),
          );
          output.result(link, () => output.line(link.url));
          output.note('It can be used once, within an hour.');
        },
      }),
    );
}
