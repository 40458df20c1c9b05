import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';

export function documentRemove(commandLine: CommandLine) {
  return describeCommand('remove', {
    summary: 'remove a document',
    about:
      'Removes a document: no answer draws on it from now on. To replace one, add it again under the same name.',
    examples: [
      ['document remove doc_01k9', 'in the only workspace'],
      ['document remove doc_01k9 --workspace Shop', 'in one of several'],
    ],
    failure: 'refused or failed, for instance because there is no such document',
  })
    .argument('<id>', 'its id, from document list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          await api.call('DELETE', `${path}/${encodeURIComponent(id)}`);
          output.result({ id, removed: true }, () => output.line(`Removed ${id}.`));
        },
      }),
    );
}
