import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { memberRoleSchema } from '../../../core/members/authority.ts';
import { type CommandLine, createCommand } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import type { OperatorApi } from '../transports/operator-api.ts';
import { confirm } from './workspace.ts';

const personItem = z.looseObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  is_operator: z.boolean(),
  two_factor_enabled: z.boolean(),
  memberships: z.array(z.looseObject({ owner: z.string(), role: z.string() })),
});
type PersonItem = z.output<typeof personItem>;

const linkResponse = z.object({ link: z.string(), expires_at: z.string() });

async function listPersons(api: OperatorApi): Promise<PersonItem[]> {
  const response = await api.call('GET', '/admin/v1/persons');
  return z.object({ persons: z.array(personItem) }).parse(response).persons;
}

async function findPerson(api: OperatorApi, email: string): Promise<PersonItem> {
  const found = (await listPersons(api)).find((person) => person.email === email.toLowerCase());
  if (found !== undefined) return found;
  throw new CommandError(`Nobody signs in as ${email}.`, {
    code: 'member_not_found',
    hint: 'List the people: npm run parley -- person list',
  });
}

export function personList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the people who can sign in',
    about: 'Lists everybody who can sign in to the dashboard of this installation, with their roles.',
    examples: [
      ['person list', 'as a table'],
      ['person list --json', 'as JSON, for scripts'],
    ],
    failure: 'the command failed',
  }).action((options) =>
    commandLine.execute(options, {
      async run({ api, output }) {
        const persons = await listPersons(api);
        output.result({ persons }, () => {
          if (persons.length === 0) {
            output.line(
              'Nobody can sign in yet. Print the link for the first person: npm run parley -- person link',
            );
            return;
          }
          output.table(
            [
              { heading: 'EMAIL', cell: ({ email }) => email, flexible: true },
              { heading: 'NAME', cell: ({ name }) => name, flexible: true },
              { heading: 'ROLES', cell: describeRoles },
              { heading: '2FA', cell: (person) => (person.two_factor_enabled ? 'on' : 'off') },
            ],
            persons,
          );
        });
      },
    }),
  );
}

function describeRoles({ is_operator, memberships }: PersonItem): string {
  const roles = memberships.map(({ role }) => role);
  return [...(is_operator ? ['operator'] : []), ...new Set(roles)].join(', ') || 'none';
}

export function personAdd(commandLine: CommandLine) {
  return createCommand('add', {
    summary: 'invite a person',
    about:
      'Prints a link that makes the address a member of the owner of a workspace. It works once within a week: send it to the person.',
    examples: [
      ['person add ben@acme.example', 'as an agent of all workspaces of the owner'],
      [
        'person add ann@acme.example --role owner --workspace Shop',
        'as an owner, beside one of several workspaces',
      ],
      ['person add cid@acme.example --role viewer --workspace Shop --only', 'with one workspace only'],
    ],
    failure: 'the command failed; no link was made',
  })
    .argument('<email>', 'address of the person')
    .option(...workspaceOption)
    .addOption(
      new Option('--role <role>', 'what the person may do')
        .choices(memberRoleSchema.options)
        .default('agent'),
    )
    .option('--only', 'limit the person to this workspace, instead of all of its owner')
    .action((email, { workspace, role, only, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const id = await findWorkspace(api, workspace);
          const body = { email, role, workspaces: only === true ? [id] : null };
          const path = `/admin/v1/workspaces/${id}/invitations`;
          const invitation = linkResponse.loose().parse(await api.call('POST', path, { body }));
          output.result(invitation, () => output.line(invitation.link));
          output.note('The link works once within a week. It is not shown again.');
        },
      }),
    );
}

export function personLink(commandLine: CommandLine) {
  return createCommand('link', {
    summary: 'print a link with which a person signs in again',
    about:
      'Prints a link for a new password, which works once within a day. If nobody can sign in yet, it prints the link that makes the first person. It also works while the server runs.',
    examples: [
      ['person link ann@acme.example', 'for a person who lost their password or their second factor'],
      ['person link', 'for the first person of an installation'],
    ],
    failure: 'the command failed; no link was made',
  })
    .argument('[email]', 'address of the person')
    .action((email, options) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = await findLinkPath(api, email);
          const link = linkResponse.parse(await api.call('POST', path));
          output.result(link, () => output.line(link.link));
          output.note('The link works once within a day. It is not shown again.');
        },
      }),
    );
}

async function findLinkPath(api: OperatorApi, email: string | undefined): Promise<string> {
  if ((await listPersons(api)).length === 0) return '/admin/v1/begin-link';
  if (email !== undefined) return `/admin/v1/persons/${(await findPerson(api, email)).id}/recovery-link`;
  throw new CommandError('Somebody can sign in already, so the link needs the address of a person.', {
    code: 'wrong_usage',
    hint: 'List the people: npm run parley -- person list',
    exitCode: 2,
  });
}

export function personRemove(commandLine: CommandLine) {
  return createCommand('remove', {
    summary: 'remove a person from the installation',
    about:
      'Deletes the account of a person with their roles, passkeys and sessions. Their messages and notes stay. The command asks for confirmation, and refuses the last owner.',
    examples: [
      ['person remove ben@acme.example', 'with confirmation'],
      ['person remove ben@acme.example --yes', 'without confirmation, for scripts'],
    ],
    failure: 'the command failed or was not confirmed; nobody was removed',
  })
    .argument('<email>', 'address of the person')
    .option('--yes', 'skip the confirmation')
    .action((email, { yes, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output, signal }) {
          const { id, name } = await findPerson(api, email);
          if (yes !== true) await confirm(`Remove ${name} (${email}) from this installation?`, signal);
          await api.call('DELETE', `/admin/v1/persons/${id}`);
          output.result({ id, removed: true }, () => output.line(`Removed ${email}.`));
        },
      }),
    );
}
