import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';

export function keyRevoke(commandLine: CommandLine) {
  return describeCommand('revoke', {
    summary: 'revoke an API key',
    about: 'Revokes a key: from the next request on it is refused. This cannot be undone.',
    examples: [
      ['key revoke key_01k9', 'in the only workspace'],
      ['key revoke key_01k9 --workspace Shop', 'in one of several'],
    ],
    failure: 'refused or failed, for instance because there is no such key',
  })
    .argument('<key-id>', 'its id, from key list')
    .option(...workspaceOption)
    .action((keyId, { workspace, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/keys`;
          await api.call('DELETE', `${path}/${encodeURIComponent(keyId)}`);
          output.result({ id: keyId, revoked: true }, () => output.line(`Revoked ${keyId}.`));
        },
      }),
    );
}
