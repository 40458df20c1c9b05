import { z } from 'zod';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { shortTime } from '../output/short-time.ts';
import { readAll } from '../read-all.ts';

const item = z.looseObject({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  owner: z.string(),
  created_at: z.string(),
});

export function workspaceList(commandLine: CommandLine) {
  return describeCommand('list', {
    summary: 'list the workspaces',
    about: 'Lists all workspaces, the newest first.',
    examples: [
      ['workspace list', 'a table for people'],
      ['workspace list --json', 'everything about them, for programs'],
    ],
    failure: 'refused or failed',
  }).action((options) =>
    commandLine.carryOut(options, {
      async run({ api, output }) {
        const workspaces = await readAll(api, '/admin/v1/workspaces', { name: 'workspaces', item });
        output.result({ workspaces }, () => {
          if (workspaces.length === 0) {
            output.line(
              'There is no workspace yet. Make one: npm run parley -- workspace create "Help centre"',
            );
            return;
          }
          output.table(
            [
              { heading: 'ID', cell: ({ id }) => id },
              { heading: 'NAME', cell: ({ name }) => name, flexible: true },
              { heading: 'PLAN', cell: ({ plan }) => plan },
              { heading: 'OWNER', cell: ({ owner }) => owner },
              { heading: 'CREATED', cell: (workspace) => shortTime(workspace.created_at) },
            ],
            workspaces,
          );
        });
      },
    }),
  );
}
