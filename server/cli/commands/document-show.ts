import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { documentAnswer } from '../document-answer.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';

export function documentShow(commandLine: CommandLine) {
  return describeCommand('show', {
    summary: 'show a document',
    about:
      'Shows all that is known of a document: status, title, address, chunks, and why it failed if it did.',
    examples: [
      ['document show doc_01k9', 'in the only workspace'],
      ['document show doc_01k9 --workspace Shop --json', 'in one of several, for programs'],
    ],
    failure: 'refused or failed, for instance because there is no such document',
  })
    .argument('<id>', 'its id, from document list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          const document = documentAnswer.parse(await api.call('GET', `${path}/${encodeURIComponent(id)}`));
          output.result(document, () =>
            output.record({ ...document, failure: document.failure?.reason ?? null }),
          );
        },
      }),
    );
}
