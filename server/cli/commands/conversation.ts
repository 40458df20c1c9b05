import { z } from 'zod';
import { type CommandLine, createCommand } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';

const sessionsResponse = z.object({ ended: z.int() });

export function conversationLogOut(commandLine: CommandLine) {
  return createCommand('log-out', {
    summary: "end the sessions of a conversation's visitor",
    about: [
      'Ends the sessions of a visitor in the widget and on the hosted page, on all devices. The messages can no longer be',
      'read there and stay in the inbox.',
    ].join(' '),
    examples: [
      ['conversation log-out conv_01k9', 'in the only workspace'],
      ['conversation log-out conv_01k9 --workspace Shop', 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the conversation does not exist',
  })
    .argument('<id>', 'id of the conversation, from GET /v1/conversations')
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
