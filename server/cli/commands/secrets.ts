import { Argument, Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { CommandLine, CommandSession } from '../command.ts';
import { createCommand, parseWholeNumber } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import type { Output } from '../output.ts';

/** The secrets that can be rotated, with the API path of those that have an id. */
const workspaceSecrets = { 'identity-secret': 'identity_secret', 'public-token': 'public_token' } as const;
const itemSecrets = { key: 'keys', webhook: 'webhooks', skill: 'skills', channel: 'channels' } as const;
const encryptionKey = 'encryption-key';
const kinds = [
  'identity-secret',
  'public-token',
  'key',
  'webhook',
  'skill',
  'channel',
  encryptionKey,
] as const;

const rotated = z.looseObject({ previous_valid_until: z.string() });
const table = z.looseObject({ table: z.string(), rows: z.number(), outdated: z.number() });
const keys = { key_id: z.string(), outdated_key_ids: z.array(z.string()) };
const status = z.looseObject({ ...keys, tables: z.array(table) });
const report = z.looseObject({
  ...keys,
  tables: z.array(z.looseObject({ ...table.shape, resealed: z.number(), unreadable: z.number() })),
});

export function secrets(commandLine: CommandLine) {
  return new Command('secrets')
    .summary('rotate secrets and the encryption key')
    .description('Secrets and tokens of workspaces, and the encryption key of the installation.')
    .addCommand(rotate(commandLine))
    .addCommand(showStatus(commandLine))
    .addCommand(reseal(commandLine));
}

function rotate(commandLine: CommandLine) {
  return createCommand('rotate', {
    summary: 'replace a secret with a new value',
    about: [
      'Replaces a secret with a new value, which is shown only once. The old value remains valid for a day, or for the time',
      'given with --grace; a second rotation in that time ends it. For a key, a webhook, a skill or a widget channel, give',
      'its id. encryption-key creates a new key in DATA_DIR and encrypts all values with it. If ENCRYPTION_KEY is set, set it',
      'to the new key and ENCRYPTION_KEY_PREVIOUS to the old one instead.',
    ].join(' '),
    examples: [
      ['secrets rotate identity-secret', 'in the only workspace'],
      ['secrets rotate key key_01k9 --grace 3600', 'an API key whose old value works for another hour'],
      [
        'secrets rotate webhook hook_01k9 --grace 0 --workspace Shop',
        'after a leak: end the old secret immediately',
      ],
      ['secrets rotate encryption-key', 'in an installation without ENCRYPTION_KEY'],
    ],
    failure: 'the command failed; the old value remains valid',
  })
    .addArgument(new Argument('<what>', 'the secret to rotate').choices(kinds))
    .argument('[id]', 'id of the key, webhook, skill or channel')
    .option('--grace <seconds>', 'how long the old value remains valid, 0 to 604,800', parseWholeNumber)
    .option(...workspaceOption)
    .action((what, id, { workspace, grace, ...options }) =>
      commandLine.execute(options, {
        async run(session) {
          if (what === encryptionKey) return rotateEncryptionKey(session);
          const path = pathBelow(what, id);
          const { api, output } = session;
          const body = grace === undefined ? {} : { grace_seconds: grace };
          const workspacePath = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}`;
          const answer = rotated.parse(await api.call('POST', `${workspacePath}/${path}/rotate`, { body }));
          output.result(answer, () => output.record(answer));
          output.note('Store the new value now. It is not shown again, unless it is a public token.');
        },
      }),
    );
}

function pathBelow(what: keyof typeof workspaceSecrets | keyof typeof itemSecrets, id: string | undefined) {
  if (what === 'identity-secret' || what === 'public-token') {
    if (id === undefined) return workspaceSecrets[what];
    throw usage(`${what} takes no id. It belongs to the workspace: select one with --workspace.`);
  }
  if (id !== undefined) return `${itemSecrets[what]}/${encodeURIComponent(id)}`;
  throw usage(`${what} requires an id. Add the id of the resource.`);
}

function usage(message: string): CommandError {
  const hint = 'See the arguments: npm run parley -- secrets rotate --help';
  return new CommandError(message, { code: 'wrong_usage', hint, exitCode: 2 });
}

async function rotateEncryptionKey(session: CommandSession): Promise<void> {
  printReport(session, await session.api.call('POST', '/admin/v1/secrets/encryption_key/rotate'));
}

function showStatus(commandLine: CommandLine) {
  return createCommand('status', {
    summary: 'show whether an old encryption key is still needed',
    about:
      'Shows, for each table, the number of rows with encrypted values and the number that need an old encryption key. If there are none, ENCRYPTION_KEY_PREVIOUS can be removed.',
    examples: [
      ['secrets status', 'before an old key is removed'],
      ['secrets status --json', 'the same as JSON'],
    ],
    failure: 'an old key is still needed, or the command failed',
  }).action((options) =>
    commandLine.execute(options, {
      async run({ api, output }) {
        const answer = status.parse(await api.call('GET', '/admin/v1/secrets'));
        output.result(answer, () => {
          output.table(
            [
              { heading: 'TABLE', cell: (row) => row.table },
              { heading: 'ROWS', cell: (row) => row.rows },
              { heading: 'OUTDATED', cell: (row) => row.outdated },
            ],
            answer.tables,
          );
        });
        requireCurrent(answer, output);
      },
    }),
  );
}

function reseal(commandLine: CommandLine) {
  return createCommand('reseal', {
    summary: 'encrypt all values with the current key',
    about: [
      'Encrypts all values with the current encryption key that are still encrypted with an old one, as the server does in the',
      'background, and prints the number of rows per table. It can be stopped and repeated. Then remove ENCRYPTION_KEY_PREVIOUS.',
    ].join(' '),
    examples: [
      ['secrets reseal', 'after ENCRYPTION_KEY was changed everywhere'],
      ['secrets reseal --json', 'the same as JSON'],
    ],
    failure: 'some values could not be encrypted again; an old key is still needed',
  }).action((options) =>
    commandLine.execute(options, {
      async run(session) {
        printReport(session, await session.api.call('POST', '/admin/v1/secrets/reseal'));
      },
    }),
  );
}

function printReport({ output }: CommandSession, answered: unknown): void {
  const answer = report.parse(answered);
  output.result(answer, () => {
    output.table(
      [
        { heading: 'TABLE', cell: (row) => row.table },
        { heading: 'ROWS', cell: (row) => row.rows },
        { heading: 'RESEALED', cell: (row) => row.resealed },
        { heading: 'UNREADABLE', cell: (row) => row.unreadable },
        { heading: 'OUTDATED', cell: (row) => row.outdated },
      ],
      answer.tables,
    );
  });
  requireCurrent(answer, output);
}

function requireCurrent(
  { key_id, outdated_key_ids }: Pick<z.output<typeof status>, keyof typeof keys>,
  output: Output,
): void {
  if (outdated_key_ids.length === 0) {
    output.note(`All values are encrypted with the key ${key_id}. Old keys are needed only for backups.`);
    return;
  }
  throw new CommandError(`Some values still need old keys: ${outdated_key_ids.join(', ')}.`, {
    code: 'secrets_outdated',
    hint: 'Encrypt them again: npm run parley -- secrets reseal. Add the keys of unreadable values to ENCRYPTION_KEY_PREVIOUS.',
  });
}
