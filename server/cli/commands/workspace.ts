import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { planNames, workspaceSettingsSchema } from '../../../core/workspaces/workspace-settings.ts';
import { type CommandLine, createCommand } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { formatTime } from '../output.ts';
import { listAll } from '../transports/operator-api.ts';

const workspaceResponse = z.looseObject({ id: z.string() });

export function workspaceCreate(commandLine: CommandLine) {
  return createCommand('create', {
    summary: 'create a workspace',
    about:
      'Creates a workspace with its own documents, keys and conversations. Prints its id and its identity secret, which is shown only once.',
    examples: [
      ['workspace create "Help centre"', 'a workspace on the starter plan'],
      [
        'workspace create Shop --plan growth --set nlweb_enabled=true',
        'a larger plan, open to public agents',
      ],
    ],
    failure: 'the command failed; no workspace was created',
  })
    .argument('<name>', 'name of the workspace, 1 to 200 characters')
    .addOption(new Option('--plan <plan>', 'plan of the workspace (default: starter)').choices(planNames))
    .option('--owner <id>', 'owner of the workspace (default: a new owner)')
    .option('--set <key=value>', 'a setting; repeatable', parseSetting)
    .action((name, { plan, owner, set, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const body = { name, plan, owner, settings: set };
          const workspace = workspaceResponse.parse(await api.call('POST', '/admin/v1/workspaces', { body }));
          output.result(workspace, () => output.record(workspace));
          output.note(`Next: npm run parley -- document add ./docs --workspace ${workspace.id}`);
        },
      }),
    );
}

const workspaceItem = z.looseObject({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  owner: z.string(),
  created_at: z.string(),
});

export function workspaceList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the workspaces',
    about: 'Lists all workspaces, newest first.',
    examples: [
      ['workspace list', 'print a table'],
      ['workspace list --json', 'print all fields as JSON'],
    ],
    failure: 'the command failed',
  }).action((options) =>
    commandLine.execute(options, {
      async run({ api, output }) {
        const workspaces = await listAll(api, '/admin/v1/workspaces', {
          name: 'workspaces',
          item: workspaceItem,
        });
        output.result({ workspaces }, () => {
          if (workspaces.length === 0) {
            output.line(
              'No workspace exists yet. Create one: npm run parley -- workspace create "Help centre"',
            );
            return;
          }
          output.table(
            [
              { heading: 'ID', cell: ({ id }) => id },
              { heading: 'NAME', cell: ({ name }) => name, flexible: true },
              { heading: 'PLAN', cell: ({ plan }) => plan },
              { heading: 'OWNER', cell: ({ owner }) => owner },
              { heading: 'CREATED', cell: (workspace) => formatTime(workspace.created_at) },
            ],
            workspaces,
          );
        });
      },
    }),
  );
}

export function workspaceShow(commandLine: CommandLine) {
  return createCommand('show', {
    summary: 'show a workspace and its settings',
    about: 'Shows a workspace with its plan, owner, public token and settings.',
    examples: [
      ['workspace show "Help centre"', 'by name'],
      ['workspace show ws_01k9 --json', 'by id, as JSON'],
    ],
    failure: 'the command failed, for example because the workspace does not exist',
  })
    .argument('[id]', 'id or name of the workspace; optional if there is only one')
    .action((id, options) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const workspaceId = await findWorkspace(api, id);
          const answer = await api.call('GET', `/admin/v1/workspaces/${workspaceId}`);
          const workspace = z.looseObject({}).parse(answer);
          output.result(workspace, () => output.record(workspace));
        },
      }),
    );
}

export function workspaceUpdate(commandLine: CommandLine) {
  return createCommand('update', {
    summary: "change a workspace's name, plan or settings",
    about: [
      'Changes only the given fields. A value is plain text, a comma-separated list, or JSON; null clears a',
      `setting. The settings are ${settingNames.join(', ')}.`,
    ].join(' '),
    examples: [
      ['workspace update "Help centre" --plan growth', 'change the plan'],
      [
        'workspace update ws_01k9 --set audiences=staff,partners --set fallback_message=null',
        'change two settings',
      ],
    ],
    failure: 'the command failed; nothing was changed',
  })
    .argument('<id>', 'id or name of the workspace')
    .option('--name <name>', 'new name')
    .addOption(new Option('--plan <plan>', 'new plan').choices(planNames))
    .option('--set <key=value>', 'a setting; repeatable', parseSetting)
    .action((id, { name, plan, set, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, id)}`;
          const answer = await api.call('PATCH', path, { body: { name, plan, settings: set } });
          const workspace = z.looseObject({}).parse(answer);
          output.result(workspace, () => output.record(workspace));
        },
      }),
    );
}

export function workspaceDelete(commandLine: CommandLine) {
  return createCommand('delete', {
    summary: 'delete a workspace and everything in it',
    about:
      'Deletes a workspace with its documents, keys and conversations. This cannot be undone, so the command asks for confirmation.',
    examples: [
      ['workspace delete "Old help centre"', 'with confirmation'],
      ['workspace delete ws_01k9 --yes', 'without confirmation, for scripts'],
    ],
    failure: 'the command failed or was not confirmed; nothing was deleted',
  })
    .argument('<id>', 'id or name of the workspace')
    .option('--yes', 'skip the confirmation')
    .action((id, { yes, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output, signal }) {
          const workspaceId = await findWorkspace(api, id);
          if (yes !== true) await confirm(`Delete ${id} with all its documents and conversations?`, signal);
          await api.call('DELETE', `/admin/v1/workspaces/${workspaceId}`);
          output.result({ id: workspaceId, deleted: true }, () => output.line(`Deleted ${workspaceId}.`));
        },
      }),
    );
}

/**
 * Asks for confirmation on the terminal. Throws a CommandError if the answer is not yes or there is no
 * terminal.
 */
export async function confirm(question: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandError('This command needs confirmation, but there is no terminal to ask on.', {
      code: 'confirmation_needed',
      hint: 'Add --yes to skip the confirmation. This cannot be undone.',
      exitCode: 2,
    });
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `, { signal }).finally(() => terminal.close());
  if (!/^\s*y(es)?\s*$/i.test(answer)) {
    throw new CommandError('Not confirmed. Nothing was changed.', { code: 'not_confirmed' });
  }
}

const { shape } = workspaceSettingsSchema;

const settingNames: readonly string[] = Object.keys(shape);

/**
 * Adds one `key=value` of the command line to the settings parsed so far. The value can be plain text, a
 * comma-separated list or JSON, depending on the setting; `null` clears the setting.
 */
export function parseSetting(
  arg: string,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const [, name = '', text = ''] = /^([^=]*)=(.*)$/s.exec(arg) ?? [];
  const schema = Object.entries(shape).find(([known]) => known === name)?.[1];
  if (schema === undefined) {
    throw new InvalidArgumentError(`Use the form key=value. The keys are ${settingNames.join(', ')}.`);
  }
  if (text === 'null') return { ...before, [name]: null };
  const readings = [text, parseJson(text), text.split(',').map((item) => item.trim())];
  const value = readings.find((reading) => reading !== undefined && schema.safeParse(reading).success);
  if (value === undefined) throw new InvalidArgumentError(`${name} cannot be ${JSON.stringify(text)}.`);
  return { ...before, [name]: value };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const usageResponse = z.looseObject({
  plan: z.string(),
  month: z.string(),
  messages: z.number(),
  quota: z.number().nullable(),
  forecast: z.number().nullable(),
  by_channel: z.array(z.object({ channel: z.string(), answers: z.number() })),
});

export function usage(commandLine: CommandLine) {
  return createCommand('usage', {
    summary: 'show the messages of the month',
    about:
      "Shows the messages that count against the owner's quota, and the answers of the workspace by channel.",
    examples: [
      ['usage', 'the only workspace'],
      ['usage --workspace ws_01h… --json', 'as JSON, with the answers of each day'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, json, server }) =>
      commandLine.execute(
        { json, server },
        {
          async run({ api, output }) {
            const id = await findWorkspace(api, workspace);
            const month = usageResponse.parse(await api.call('GET', `/admin/v1/workspaces/${id}/usage`));
            output.result(month, () => {
              const quota = month.quota === null ? 'unlimited' : `of ${month.quota}`;
              const forecast = month.forecast === null ? '' : `, ${month.forecast} expected`;
              output.line(
                `${month.month.slice(0, 7)}: ${month.messages} messages ${quota} (${month.plan})${forecast}`,
              );
              if (month.by_channel.length === 0) return;
              output.table(
                [
                  { heading: 'CHANNEL', cell: ({ channel }) => channel },
                  { heading: 'ANSWERS', cell: ({ answers }) => String(answers) },
                ],
                month.by_channel,
              );
            });
          },
        },
      ),
    );
}
