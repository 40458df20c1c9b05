import { z } from 'zod';
import { type CommandLine, createCommand, parseTags, parseWholeNumber } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { formatTime } from '../output.ts';
import { listAll } from '../transports/operator-api.ts';

export function keyCreate(commandLine: CommandLine) {
  return createCommand('create', {
    summary: 'create an API key',
    about:
      'Creates a key for the API of a workspace. Its value is shown only once, because it is not stored.',
    examples: [
      [
        'key create "Website backend"',
        'a key with the default limits, which asks questions and reads conversations',
      ],
      [
        'key create "Help desk" --scope conversations:read,conversations:reply --own',
        'a key that reads and answers conversations of this workspace only',
      ],
      [
        'key create Trial --minute 10 --day 200 --expires 2030-01-31T00:00:00Z',
        'a key with its own limits and an expiry',
      ],
    ],
    failure: 'the command failed; no key was created',
  })
    .argument('<name>', 'display name of the key')
    .option(...workspaceOption)
    .option('--minute <number>', 'requests per minute, 1 to 1,000', parseWholeNumber)
    .option('--day <number>', 'requests per day, 1 to 100,000', parseWholeNumber)
    .option('--expires <time>', 'expiry as an ISO 8601 time')
    .option(
      '--scope <scopes>',
      'what the key may do, comma-separated; repeatable; default: query,conversations:read,conversations:write',
      parseTags,
    )
    .option('--own', 'reach this workspace only, not all of its owner')
    .option('--test', 'a test key: nothing is counted, and nobody but test keys sees its conversations')
    .option(
      '--network <networks>',
      'where the key may be used from, such as 203.0.113.0/24, comma-separated; repeatable; default: everywhere',
      parseTags,
    )
    .action((name, { workspace, minute, day, expires, scope, own, test, network, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/keys`;
          const body = {
            name,
            rate_limit_minute: minute,
            rate_limit_day: day,
            expires_at: expires,
            scopes: scope,
            workspaces: own === true ? 'own' : 'owner',
            mode: test === true ? 'test' : undefined,
            allowed_networks: network,
          };
          const key = z.looseObject({}).parse(await api.call('POST', path, { body }));
          output.result(key, () => output.record(key));
          output.note('Store the key now. It is not shown again.');
        },
      }),
    );
}

const keyItem = z.looseObject({
  id: z.string(),
  name: z.string(),
  rate_limit_minute: z.number(),
  rate_limit_day: z.number(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  created_at: z.string(),
});

export function keyList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the API keys of a workspace',
    about:
      'Lists the valid and the expired keys, newest first. Revoked keys are left out, and values are never shown.',
    examples: [
      ['key list', 'in the only workspace'],
      ['key list --workspace Shop --json', 'in one of several workspaces, as JSON'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/keys`;
          const keys = await listAll(api, path, { name: 'keys', item: keyItem });
          output.result({ keys }, () => {
            if (keys.length === 0) {
              output.line('This workspace has no keys. Create one: npm run parley -- key create NAME');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'NAME', cell: ({ name }) => name, flexible: true },
                { heading: 'MINUTE', cell: (key) => key.rate_limit_minute },
                { heading: 'DAY', cell: (key) => key.rate_limit_day },
                { heading: 'EXPIRES', cell: (key) => formatTime(key.expires_at) || 'never' },
                { heading: 'CREATED', cell: (key) => formatTime(key.created_at) },
                { heading: 'SCOPES', cell: ({ scopes }) => scopes.join(', '), flexible: true },
              ],
              keys,
            );
          });
        },
      }),
    );
}

export function keyRevoke(commandLine: CommandLine) {
  return createCommand('revoke', {
    summary: 'revoke an API key',
    about: 'Revokes a key. Requests with it are rejected immediately. This cannot be undone.',
    examples: [
      ['key revoke key_01k9', 'in the only workspace'],
      ['key revoke key_01k9 --workspace Shop', 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the key does not exist',
  })
    .argument('<key-id>', 'id of the key, from key list')
    .option(...workspaceOption)
    .action((keyId, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/keys`;
          await api.call('DELETE', `${path}/${encodeURIComponent(keyId)}`);
          output.result({ id: keyId, revoked: true }, () => output.line(`Revoked ${keyId}.`));
        },
      }),
    );
}
