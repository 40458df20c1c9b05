import { z } from 'zod';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace } from '../find-workspace.ts';

export function workspaceShow(commandLine: CommandLine) {
  return describeCommand('show', {
    summary: 'show a workspace and its settings',
    about: 'Shows a workspace: plan, owner, public token and settings.',
    examples: [
      ['workspace show "Help centre"', 'by its name'],
      ['workspace show ws_01k9 --json', 'by its id, for programs'],
    ],
    failure: 'refused or failed, for instance because there is no such workspace',
  })
    .argument('[id]', 'id or name; may be left out where there is one only')
    .action((id, options) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const workspaceId = await findWorkspace(api, id);
          const answer = await api.call('GET', `/admin/v1/workspaces/${workspaceId}`);
          const workspace = z.looseObject({}).parse(answer);
          output.result(workspace, () => output.record(workspace));
        },
      }),
    );
}
