import { z } from 'zod';
import { type CommandLine, createCommand } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';

const sessionsResponse = z.object({ ended: z.int() });

export function conversationLogOut(commandLine: CommandLine) {
  return createCommand('log-out', {
    summary: 'end the sessions of its visitor',
    about: [
      'Ends the sessions of the visitor of a widget or a hosted page, on every device: what was said can be read there',
      'no more, and stays in the inbox.',
    ].join(' '),
    examples: [
      ['conversation log-out conv_01k9', 'in the only workspace'],
      ['conversation log-out conv_01k9 --workspace Shop', 'in one of several'],
    ],
    failure: 'refused or failed, for instance because there is no such conversation',
  })
    .argument('<id>', 'its id, from /v1/conversations')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/conversations`;
          const { ended } = sessionsResponse.parse(
            await api.call('DELETE', `${path}/${encodeURIComponent(id)}/sessions`),
          );
          output.result({ id, ended }, () =>
            output.line(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`),
          );
        },
      }),
    );
}
