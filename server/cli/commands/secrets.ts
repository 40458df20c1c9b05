import { Argument, Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { CommandLine, CommandSession } from '../command.ts';
import { createCommand, parseWholeNumber } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import type { Output } from '../output.ts';

/** What can be rotated below a workspace, and the path of those that have an id. */
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
    .description('Secrets: what is signed and opened with, and the key that they are encrypted with.')
    .addCommand(rotate(commandLine))
    .addCommand(showStatus(commandLine))
    .addCommand(reseal(commandLine));
}

function rotate(commandLine: CommandLine) {
  return createCommand('rotate', {
    summary: 'give a secret a new value',
    about: [
      'Gives a secret a new value, which is shown this one time. The former value works for a day beside it, or as long',
      'as --grace says; a second rotation meanwhile ends it. A key, a webhook, a skill and a widget channel are named by',
      'their id. encryption-key makes a new key in DATA_DIR and seals every value anew; where ENCRYPTION_KEY is set, put',
      'the new key there and the former one in ENCRYPTION_KEY_PREVIOUS instead.',
    ].join(' '),
    examples: [
      ['secrets rotate identity-secret', 'of the only workspace'],
      ['secrets rotate key key_01k9 --grace 3600', 'an API key whose former value works for an hour more'],
      ['secrets rotate webhook hook_01k9 --grace 0 --workspace Shop', 'after a leak: the former secret ends'],
      ['secrets rotate encryption-key', 'of an installation without ENCRYPTION_KEY'],
    ],
    failure: 'refused or failed: the former value goes on working',
  })
    .addArgument(new Argument('<what>', 'which secret').choices(kinds))
    .argument('[id]', 'of the key, webhook, skill or channel')
    .option('--grace <seconds>', 'how long the former value works, 0 to 604,800', parseWholeNumber)
    .option(...workspaceOption)
    .action((what, id, { workspace, grace, ...options }) =>
      commandLine.execute(options, {
        async run(session) {
          if (what === encryptionKey) return rotateEncryptionKey(session);
          const path = pathBelow(what, id);
          const { api, output } = session;
          const body = grace === undefined ? {} : { grace_seconds: grace };
          const below = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}`;
          const answer = rotated.parse(await api.call('POST', `${below}/${path}/rotate`, { body }));
          output.result(answer, () => output.record(answer));
          output.note('Keep the new value now: it is not shown again, unless it is a public token.');
        },
      }),
    );
}

function pathBelow(what: keyof typeof workspaceSecrets | keyof typeof itemSecrets, id: string | undefined) {
  if (what === 'identity-secret' || what === 'public-token') {
    if (id === undefined) return workspaceSecrets[what];
    throw usage(`${what} takes no id: it is the workspace's, which --workspace names.`);
  }
  if (id !== undefined) return `${itemSecrets[what]}/${encodeURIComponent(id)}`;
  throw usage(`${what} takes its id: see which there are.`);
}

function usage(message: string): CommandError {
  const hint = 'See what it takes: npm run parley -- secrets rotate --help';
  return new CommandError(message, { code: 'wrong_usage', hint, exitCode: 2 });
}

async function rotateEncryptionKey(session: CommandSession): Promise<void> {
  tellReport(session, await session.api.call('POST', '/admin/v1/secrets/encryption_key/rotate'));
}

function showStatus(commandLine: CommandLine) {
  return createCommand('status', {
    summary: 'tell whether a former encryption key is still needed',
    about:
      'Shows, by table, how many rows hold encrypted values and how many of them the current encryption key alone does not open. Where none is left, ENCRYPTION_KEY_PREVIOUS can be dropped.',
    examples: [
      ['secrets status', 'before a former key is dropped'],
      ['secrets status --json', 'the same for programs'],
    ],
    failure: 'a former key is still needed, or the command was refused or failed',
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
    summary: 'encrypt every value anew under the current key',
    about: [
      'Encrypts every value anew that is not under the current encryption key, as the server does in the background, and',
      'says how many rows of each table. It may be stopped and repeated. Afterwards ENCRYPTION_KEY_PREVIOUS can be dropped.',
    ].join(' '),
    examples: [
      ['secrets reseal', 'after ENCRYPTION_KEY was changed everywhere'],
      ['secrets reseal --json', 'the same for programs'],
    ],
    failure: 'some values could not be encrypted anew: a former key is still needed',
  }).action((options) =>
    commandLine.execute(options, {
      async run(session) {
        tellReport(session, await session.api.call('POST', '/admin/v1/secrets/reseal'));
      },
    }),
  );
}

function tellReport({ output }: CommandSession, answered: unknown): void {
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
    output.note(`Every value is under the key ${key_id}: former keys are needed no longer, but for backups.`);
    return;
  }
  throw new CommandError(`Some values still need former keys: ${outdated_key_ids.join(', ')}.`, {
    code: 'secrets_outdated',
    hint: 'Encrypt them anew: npm run parley -- secrets reseal. Unreadable ones need their key in ENCRYPTION_KEY_PREVIOUS.',
  });
}
