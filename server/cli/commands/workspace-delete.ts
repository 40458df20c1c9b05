import type { CommandLine } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace } from '../find-workspace.ts';

export function workspaceDelete(commandLine: CommandLine) {
  return describeCommand('delete', {
    summary: 'delete a workspace with all that is in it',
    about:
      'Deletes a workspace with its documents, keys and conversations. This cannot be undone; it asks first.',
    examples: [
      ['workspace delete "Old help centre"', 'asks before it deletes'],
      ['workspace delete ws_01k9 --yes', 'does not ask, for scripts'],
    ],
    failure: 'refused or failed, or you said no: nothing was deleted',
  })
    .argument('<id>', 'id or name')
    .option('--yes', 'do not ask')
    .action((id, { yes, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output, signal }) {
          const workspaceId = await findWorkspace(api, id);
          if (yes !== true) await confirm(`Delete ${id} with all its documents and conversations?`, signal);
          await api.call('DELETE', `/admin/v1/workspaces/${workspaceId}`);
          output.result({ id: workspaceId, deleted: true }, () => output.line(`Deleted ${workspaceId}.`));
        },
      }),
    );
}
