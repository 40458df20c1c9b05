import { Option } from '@commander-js/extra-typings';
import { documentStatuses } from '../../../core/knowledge/document.ts';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { documentAnswer } from '../document-answer.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { shortTime } from '../output/short-time.ts';
import { readAll } from '../read-all.ts';

export function documentList(commandLine: CommandLine) {
  return describeCommand('list', {
    summary: 'list the documents of a workspace',
    about:
      'Lists the documents of a workspace, the last changed first, with the reason of those that failed.',
    examples: [
      ['document list', 'of the only workspace'],
      ['document list --status failed', 'only what could not be indexed, and why'],
    ],
    failure: 'refused or failed',
  })
    .option(...workspaceOption)
    .addOption(new Option('--status <status>', 'only those with this status').choices(documentStatuses))
    .action(({ workspace, status, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          const all = await readAll(api, path, { name: 'documents', item: documentAnswer });
          const documents = all.filter((document) => status === undefined || document.status === status);
          output.result({ documents }, () => {
            if (documents.length === 0) {
              output.line(status === undefined ? 'There is no document yet.' : `No document is ${status}.`);
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'STATUS', cell: (document) => document.status },
                { heading: 'CHUNKS', cell: (document) => document.chunks },
                { heading: 'UPDATED', cell: (document) => shortTime(document.updated_at) },
                { heading: 'TITLE', cell: ({ title }) => title, flexible: true },
                { heading: 'REASON', cell: ({ failure }) => failure?.reason ?? '', flexible: true },
              ],
              documents,
            );
          });
        },
      }),
    );
}
