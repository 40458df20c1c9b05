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

/** Reads `email=ann@example.com` as the search part of the address of the call. */
function parseKey(text: string): string {
  const [, field, value] = /^(email|phone|user_id)=(.+)$/.exec(text) ?? [];
  if (field === undefined || value === undefined) throw new InvalidArgumentError(`It takes ${keyHelp}.`);
  return new URLSearchParams({ [field]: value }).toString();
}

export function personExport(commandLine: CommandLine) {
  return createCommand('export', {
    summary: 'show everything a workspace holds of one person',
    about:
      'Reads the conversations, visitor records, files and stored copies of one person. --json prints all of it.',
    examples: [
      ['person export email=ann@example.com --json', 'prints everything, for a file'],
      [
        'person export phone=+49301234567 --workspace Shop',
        'prints how much there is, in one of several workspaces',
      ],
    ],
    failure: 'refused or failed',
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

export function personErase(commandLine: CommandLine) {
  return createCommand('erase', {
    summary: 'erase everything a workspace holds of one person',
    about:
      'Deletes the conversations, visitor records, files and stored copies of one person. This cannot be undone; it ' +
      'asks first. The receipt, without any values, is kept in the audit log of the workspace.',
    examples: [
      ['person erase email=ann@example.com', 'asks before it erases'],
      ['person erase user_id=customer-7 --workspace Shop --yes', 'does not ask, for scripts'],
    ],
    failure: 'refused or failed, or you said no: run it again, it erases what is left',
  })
    .argument('<key>', keyHelp, parseKey)
    .option(...workspaceOption)
    .option('--yes', 'do not ask')
    .action((search, { workspace, yes, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output, signal }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/people?${search}`;
          if (yes !== true) {
            const { conversations } = exported.parse(await api.call('GET', path));
            await confirm(`Erase this person, with ${conversations.length} conversations?`, signal);
          }
          const { id, erased_at, counts } = receipt.parse(await api.call('DELETE', path));
          output.result({ id, erased_at, counts }, () =>
            output.record({ receipt: id, erased_at, ...counts }),
          );
        },
      }),
    );
}
