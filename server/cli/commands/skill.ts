import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { type CommandLine, createCommand, parseWholeNumber } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { listAll, type OperatorApi } from '../transports/operator-api.ts';

const skillItem = z.looseObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  runs_for: z.string(),
  enabled: z.boolean(),
});

const listSkills = (api: OperatorApi, base: string) =>
  listAll(api, base, { name: 'skills', item: skillItem });

/** Skills are named by their id or name. */
async function findSkill(api: OperatorApi, base: string, wanted: string): Promise<string> {
  const found = (await listSkills(api, base)).find(({ id, name }) => id === wanted || name === wanted);
  if (found !== undefined) return found.id;
  throw new CommandError(`No skill has the id or name "${wanted}".`, {
    code: 'skill_not_found',
    hint: 'List the skills: npm run parley -- skill list',
  });
}

export function skillList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the HTTP skills of a workspace',
    about: 'Lists the HTTP skills, newest first, without their secrets.',
    examples: [
      ['skill list', 'in the only workspace'],
      ['skill list --workspace Shop --json', 'in one of several workspaces, as JSON'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const skills = await listSkills(api, await basePath(api, workspace));
          output.result({ skills }, () => {
            if (skills.length === 0) {
              output.line('This workspace has no HTTP skills. Add one: npm run parley -- skill add --help');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'NAME', cell: ({ name }) => name },
                { heading: 'URL', cell: ({ url }) => url, flexible: true },
                { heading: 'FOR', cell: ({ runs_for }) => runs_for },
                { heading: 'STATE', cell: ({ enabled }) => (enabled ? 'on' : 'off') },
              ],
              skills,
            );
          });
        },
      }),
    );
}

export function skillAdd(commandLine: CommandLine) {
  return createCommand('add', {
    summary: 'add an HTTP skill',
    about:
      'Adds an HTTP function that the model can call while it answers. The signing secret is shown only once. The arguments are described by a file with a JSON Schema.',
    examples: [
      [
        'skill add opening_hours --url https://example.com/hours --description "Tells when the shop is open."',
        'a skill without arguments',
      ],
      [
        'skill add order_status --url https://example.com/orders --description "Looks up an order." --parameters order.json --verified',
        'a skill with arguments, for visitors whose identity is verified',
      ],
    ],
    failure: 'the command failed; no skill was added',
  })
    .argument('<name>', 'name that the model calls the skill by, such as order_status')
    .requiredOption('--url <url>', 'https URL that calls are posted to')
    .requiredOption('--description <text>', 'tells the model when to use the skill')
    .option('--parameters <file>', 'JSON Schema of the arguments; default: no arguments')
    .option('--timeout <seconds>', '1 to 20, default 10', parseWholeNumber)
    .addOption(new Option('--verified', 'only for visitors whose identity is verified'))
    .option(...workspaceOption)
    .action((name, { url, description, parameters, timeout, verified, workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const body = {
            name,
            url,
            description,
            parameters: parameters === undefined ? noArguments : await readSchema(parameters),
            timeout_seconds: timeout,
            ...(verified === true && { runs_for: 'verified' }),
          };
          const skill = z
            .looseObject({})
            .parse(await api.call('POST', await basePath(api, workspace), { body }));
          output.result(skill, () => output.record(skill));
          output.note('Store the secret now. It is not shown again.');
        },
      }),
    );
}

const noArguments = { type: 'object', properties: {} };

async function readSchema(file: string): Promise<object> {
  try {
    return z.looseObject({}).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new CommandError(`${file} cannot be read as a JSON object.`, {
      code: 'invalid_parameters',
      hint: cause instanceof Error ? cause.message : undefined,
    });
  }
}

/** Adds one `name=value` to the arguments parsed so far. A value that is JSON is sent as such, any other as text. */
function parseArgument(
  text: string,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Use the form name=value.');
  const value = text.slice(at + 1);
  return { ...before, [text.slice(0, at)]: parseValue(value) };
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const testResponse = z.looseObject({ error: z.string().nullable() });

export function skillTest(commandLine: CommandLine) {
  return createCommand('test', {
    summary: 'call an HTTP skill once',
    about:
      'Calls the skill with these arguments, even if it is disabled, and prints what it responds. Nothing is stored.',
    examples: [
      ['skill test order_status --arg order_id=A-1024', 'as an anonymous visitor'],
      ['skill test order_status --arg order_id=A-1024 --user customer-7', 'on behalf of a verified visitor'],
    ],
    failure: 'the command or the call failed',
  })
    .argument('<skill>', 'id or name of the skill')
    .option('--arg <name=value>', 'an argument; may be repeated', parseArgument)
    .option('--user <id>', 'user id of the visitor')
    .option(...workspaceOption)
    .action((skill, { arg, user, workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const base = await basePath(api, workspace);
          const id = await findSkill(api, base, skill);
          const body = { arguments: arg ?? {}, user_id: user };
          const result = testResponse.parse(await api.call('POST', `${base}/${id}/test`, { body }));
          output.result(result, () => output.record(result));
          if (result.error === null) return;
          throw new CommandError(`The skill failed: ${result.error}`, { code: 'skill_failed' });
        },
      }),
    );
}

export function skillRemove(commandLine: CommandLine) {
  return createCommand('remove', {
    summary: 'remove an HTTP skill',
    about: 'Removes a skill. The model no longer calls it. This cannot be undone.',
    examples: [
      ['skill remove order_status', 'in the only workspace'],
      ['skill remove skill_01k9 --workspace Shop', 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the skill does not exist',
  })
    .argument('<skill>', 'id or name of the skill')
    .option(...workspaceOption)
    .action((skill, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const base = await basePath(api, workspace);
          const id = await findSkill(api, base, skill);
          await api.call('DELETE', `${base}/${id}`);
          output.result({ id, removed: true }, () => output.line(`Removed ${skill}.`));
        },
      }),
    );
}

async function basePath(api: OperatorApi, workspace: string | undefined): Promise<string> {
  return `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/skills`;
}
