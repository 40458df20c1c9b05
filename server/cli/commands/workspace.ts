import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { planNames, workspaceSettingsSchema } from '../../../core/workspaces/workspace-settings.ts';
import { type CommandLine, createCommand } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace } from '../find-workspace.ts';
import { formatTime } from '../output.ts';
import { listAll } from '../transports/operator-api.ts';

const workspaceResponse = z.looseObject({ id: z.string() });

export function workspaceCreate(commandLine: CommandLine) {
  return createCommand('create', {
    summary: 'make a workspace',
    about:
      'Makes a workspace: documents, keys and conversations of its own. Shows its id, and its identity secret this one time.',
    examples: [
      ['workspace create "Help centre"', 'a workspace on the starter plan'],
      ['workspace create Shop --plan growth --set nlweb_enabled=true', 'another plan, open to public agents'],
    ],
    failure: 'refused or failed: nothing was made',
  })
    .argument('<name>', 'what people call it, 1 to 200 characters')
    .addOption(new Option('--plan <plan>', 'starter when left out').choices(planNames))
    .option('--owner <id>', 'whose it is; a new owner when left out')
    .option('--set <key=value>', 'a setting; may be repeated', parseSetting)
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
    about: 'Lists all workspaces, the newest first.',
    examples: [
      ['workspace list', 'a table for people'],
      ['workspace list --json', 'everything about them, for programs'],
    ],
    failure: 'refused or failed',
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
    about: 'Shows a workspace: plan, owner, public token and settings.',
    examples: [
      ['workspace show "Help centre"', 'by its name'],
      ['workspace show ws_01k9 --json', 'by its id, for programs'],
    ],
    failure: 'refused or failed, for instance because there is no such workspace',
  })
    .argument('[id]', 'id or name; may be left out where there is one only')
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
      'Changes what is named and leaves the rest. A value is plain text, a list with commas, or JSON; null clears a',
      `setting. The settings are ${settingNames.join(', ')}.`,
    ].join(' '),
    examples: [
      ['workspace update "Help centre" --plan growth', 'another plan'],
      ['workspace update ws_01k9 --set audiences=staff,partners --set fallback_message=null', 'two settings'],
    ],
    failure: 'refused or failed: nothing was changed',
  })
    .argument('<id>', 'id or name')
    .option('--name <name>', 'a new name')
    .addOption(new Option('--plan <plan>', 'another plan').choices(planNames))
    .option('--set <key=value>', 'a setting; may be repeated', parseSetting)
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
    summary: 'delete a workspace with all that is in it',
    about:
      'Deletes a workspace with its documents, keys and conversations. This cannot be undone; it asks first.',
    examples: [
      ['workspace delete "Old help centre"', 'asks before it deletes'],
      ['workspace delete ws_01k9 --yes', 'does not ask, for scripts'],
    ],
    failure: 'refused or failed, or you said no: nothing was deleted',
  })
    .argument('<id>', 'id or name')
    .option('--yes', 'do not ask')
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

/** Asks on the terminal; throws a CommandError where the answer is not yes, or nobody can be asked. */
export async function confirm(question: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandError('This cannot be undone, and there is no terminal to ask on.', {
      code: 'confirmation_needed',
      hint: 'Add --yes to do it without asking.',
      exitCode: 2,
    });
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `, { signal }).finally(() => terminal.close());
  if (!/^\s*y(es)?\s*$/i.test(answer)) {
    throw new CommandError('Left as it is.', { code: 'not_confirmed' });
  }
}

const { shape } = workspaceSettingsSchema;

const settingNames: readonly string[] = Object.keys(shape);

/**
 * Adds one `key=value` of the command line to the settings read so far. The value may be plain text, a list with
 * commas or JSON, whichever the setting takes; `null` clears it.
 */
export function parseSetting(
  given: string,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const [, name = '', text = ''] = /^([^=]*)=(.*)$/s.exec(given) ?? [];
  const schema = Object.entries(shape).find(([known]) => known === name)?.[1];
  if (schema === undefined) {
    throw new InvalidArgumentError(`It takes key=value; the keys are ${settingNames.join(', ')}.`);
  }
  if (text === 'null') return { ...before, [name]: null };
  const readings = [text, parseJson(text), text.split(',').map((item) => item.trim())];
  const fitting = readings.find((reading) => reading !== undefined && schema.safeParse(reading).success);
  if (fitting === undefined) throw new InvalidArgumentError(`${name} does not take ${JSON.stringify(text)}.`);
  return { ...before, [name]: fitting };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
