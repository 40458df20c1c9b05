import { InvalidArgumentError } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { CommandLine } from '../command.ts';
import { createCommand } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { confirm } from './workspace.ts';

const exported = z.looseObject({
  conversations: z.array(z.unknown()),
  visitors: z.array(z.unknown()),
  files: z.array(z.unknown()),
});
const receipt = z.object({ id: z.string(), erased_at: z.string(), counts: z.record(z.string(), z.int()) });

const keyHelp = 'email=ADDRESS, phone=NUMBER or user_id=ID';

/** Parses an argument such as `email=ann@example.com` into the query string of the request. */
function parseKey(text: string): string {
  const [, field, value] = /^(email|phone|user_id)=(.+)$/.exec(text) ?? [];
  if (field === undefined || value === undefined) throw new InvalidArgumentError(`Use the form ${keyHelp}.`);
  return new URLSearchParams({ [field]: value }).toString();
}

export function peopleExport(commandLine: CommandLine) {
  return createCommand('export', {
    summary: 'export all data of a person in a workspace',
    about:
      'Reads the conversations, visitor records, files and stored copies of a person. With --json, it prints all of them.',
    examples: [
      ['people export email=ann@example.com --json', 'print all data as JSON'],
      [
        'people export phone=+49301234567 --workspace Shop',
        'print the amounts, in one of several workspaces',
      ],
    ],
    failure: 'the command failed',
  })
    .argument('<key>', keyHelp, parseKey)
    .option(...workspaceOption)
    .action((search, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/people?${search}`;
          const person = exported.parse(await api.call('GET', path));
          const { conversations, visitors, files } = person;
          output.result(person, () =>
            output.record({
              conversations: conversations.length,
              visitors: visitors.length,
              files: files.length,
            }),
          );
        },
      }),
    );
}

export function peopleErase(commandLine: CommandLine) {
  return createCommand('erase', {
    summary: 'erase all data of a person in a workspace',
    about:
      'Deletes the conversations, visitor records, files and stored copies of a person. This cannot be undone, so the command ' +
      'asks for confirmation. The receipt, which contains no personal data, is kept in the audit log of the workspace.',
    examples: [
      ['people erase email=ann@example.com', 'with confirmation'],
      ['people erase user_id=customer-7 --workspace Shop --yes', 'without confirmation, for scripts'],
    ],
    failure: 'the command failed or was not confirmed; run it again to erase the rest',
  })
    .argument('<key>', keyHelp, parseKey)
    .option(...workspaceOption)
    .option('--yes', 'skip the confirmation')
    .action((search, { workspace, yes, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output, signal }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/people?${search}`;
          if (yes !== true) {
            const { conversations } = exported.parse(await api.call('GET', path));
            await confirm(
              `Erase all data of this person, including ${conversations.length} conversations?`,
              signal,
            );
          }
          const { id, erased_at, counts } = receipt.parse(await api.call('DELETE', path));
          output.result({ id, erased_at, counts }, () =>
            output.record({ receipt: id, erased_at, ...counts }),
          );
        },
      }),
    );
}
