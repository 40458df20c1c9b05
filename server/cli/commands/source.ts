import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { itemStates } from '../../../core/sources/source-record.ts';
import { parseField, parseVariable, readCredentials, withNumbers } from '../channel-options.ts';
import { type CommandLine, createCommand, parseTags, parseWholeNumber } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { previewResponse, showPreview } from '../describe-preview.ts';
import { describeRun, describeState, flattenSource, sourceResponse } from '../describe-source.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { formatTime } from '../output.ts';
import { listAll, type OperatorApi } from '../transports/operator-api.ts';

const itemResponse = z.looseObject({
  key: z.string(),
  url: z.string().nullable(),
  state: z.string(),
  reason: z.string().nullable(),
});

const kindsResponse = z.object({
  kinds: z.array(
    z.looseObject({
      kind: z.string(),
      settings: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }),
    }),
  ),
});

const addDescription = {
  summary: 'add a source',
  about: [
    'Adds a website, a folder of the server or a tool whose pages become documents, and starts to read it. Runs keep the',
    'documents in step: what has changed is indexed again, what is gone is removed after two runs. The address is the',
    'setting url or path of the kind; --set gives the others. Patterns such as /docs/** are compared with the path,',
    'and *.pdf with its end. Keep secrets out of the history of your shell with --credential-env or',
    '--credentials-stdin. With --preview, nothing is stored, and the command shows what would become a document.',
  ].join(' '),
  examples: [
    ['source add website https://example.com/help --name Help --every 1d', 'read a website every day'],
    [
      'source add website https://example.com --include "/docs/**" --exclude "*.pdf" --preview',
      'look what would be read',
    ],
    ['source add folder /srv/handbook --every 1h --audience staff', 'read a folder, for some readers only'],
  ],
  failure: 'the command failed; no source was added',
} as const;

export function sourceAdd(commandLine: CommandLine) {
  return createCommand('add', addDescription)
    .argument('<kind>', 'kind of the source, such as website or folder')
    .argument('[address]', 'the address of the website, or the path of the folder')
    .option(...workspaceOption)
    .option('--name <name>', 'display name (default: the address, or the kind)')
    .option(
      '--every <time>',
      'how often it is read, such as 30m, 12h or 7d, or never (default: 1d)',
      parseSchedule,
    )
    .option('--include <patterns>', 'read only addresses that match; repeatable', parseTags)
    .option('--exclude <patterns>', 'leave out addresses that match; repeatable', parseTags)
    .option('--audience <tags>', 'limit it to readers with one of these tags; repeatable', parseTags)
    .option('--max-items <number>', 'read no more items than these (default: 2000)', parseWholeNumber)
    .option('--set <name=value>', 'a setting of the kind; repeatable', parseField)
    .option('--credential <name=value>', 'a credential of the tool; repeatable', parseField)
    .option(
      '--credential-env <name=VARIABLE>',
      'a credential from an environment variable; repeatable',
      parseVariable,
    )
    .option('--credentials-stdin', 'read the credentials from standard input')
    .option('--preview', 'store nothing, and show what would be read')
    .action(
      async (kind, address, { workspace, name, every, include, exclude, audience, maxItems, ...rest }) => {
        const { set = {}, preview, credential, credentialEnv, credentialsStdin, ...common } = rest;
        await commandLine.execute(common, {
          async run(session) {
            const { api, output } = session;
            const given = { credential, credentialEnv, credentialsStdin };
            const settings = {
              ...withNumbers(set, (await findKind(api, kind))?.settings.properties),
              ...(address !== undefined && (await addressSetting(api, kind, address))),
            };
            const what = {
              kind,
              settings,
              credentials: await readCredentials(given, session),
              include,
              exclude,
            };
            const path = await sourcesPath(api, workspace);
            if (preview === true) {
              showPreview(
                output,
                previewResponse.parse(await api.call('POST', `${path}/preview`, { body: what })),
              );
              return;
            }
            const body = {
              ...what,
              ...{ name: name ?? address ?? kind, audience, max_items: maxItems },
              ...(every !== undefined && { schedule_minutes: every.minutes }),
            };
            const source = sourceResponse.parse(await api.call('POST', path, { body }));
            output.result(source, () => output.record(flattenSource(source, new Date())));
            if (!api.outlivesCommand) output.note(startNote);
          },
        });
      },
    );
}

const startNote = 'It is read when Parley runs. Start it with: npm start';

async function findKind(api: OperatorApi, name: string) {
  const { kinds } = kindsResponse.parse(await api.call('GET', '/admin/v1/source-kinds'));
  return kinds.find(({ kind }) => kind === name);
}

/** Returns the setting that an address on the command line stands for. */
async function addressSetting(api: OperatorApi, name: string, address: string) {
  const kind = await findKind(api, name);
  // The API refuses a kind that does not exist, and names those that do.
  if (kind === undefined) return {};
  const field = ['url', 'path'].find((one) => one in (kind.settings.properties ?? {}));
  if (field !== undefined) return { [field]: address };
  throw new CommandError(`The kind ${name} has no address. Give its settings with --set.`, {
    code: 'wrong_usage',
    exitCode: 2,
  });
}

const minutesIn = { m: 1, h: 60, d: 1_440 } as const;

/** Parses `30m`, `12h`, `7d` or `never`. */
function parseSchedule(text: string): { readonly minutes: number | null } {
  if (text === 'never') return { minutes: null };
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (unit === 'm' || unit === 'h' || unit === 'd') return { minutes: Number(number) * minutesIn[unit] };
  throw new InvalidArgumentError('Use a form such as 30m, 12h or 7d, or never.');
}

async function sourcesPath(api: OperatorApi, workspace: string | undefined): Promise<string> {
  return `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/sources`;
}

export function sourceList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the sources of a workspace',
    about: 'Lists the sources, newest first, with their documents and their last run.',
    examples: [
      ['source list', 'in the only workspace'],
      ['source list --workspace Shop --json', 'in one of several workspaces, as JSON'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = await sourcesPath(api, workspace);
          const sources = await listAll(api, path, { name: 'sources', item: sourceResponse });
          output.result({ sources }, () => {
            if (sources.length === 0) {
              output.line('This workspace has no sources. Add one: npm run parley -- source add website URL');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'KIND', cell: ({ kind }) => kind },
                { heading: 'NAME', cell: ({ name }) => name, flexible: true },
                { heading: 'DOCUMENTS', cell: ({ documents }) => documents },
                { heading: 'STATE', cell: describeState },
                { heading: 'NEXT RUN', cell: (one) => (one.paused ? 'paused' : formatTime(one.next_run_at)) },
                {
                  heading: 'LAST RUN',
                  cell: ({ last_run: run }) => (run === null ? '' : describeRun(run)),
                  flexible: true,
                },
              ],
              sources,
            );
          });
        },
      }),
    );
}

export function sourceItems(commandLine: CommandLine) {
  return createCommand('items', {
    summary: 'list the items of a source',
    about: 'Lists the pages, files or articles of a source, each with its state and the reason.',
    examples: [
      ['source items src_01k9', 'all items'],
      ['source items src_01k9 --state failed', 'only those that could not be read'],
    ],
    failure: 'the command failed, for example because the source does not exist',
  })
    .argument('<id>', 'id of the source, from source list')
    .option(...workspaceOption)
    .addOption(new Option('--state <state>', 'only items with this state').choices(itemStates))
    .action((id, { workspace, state, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `${await sourcesPath(api, workspace)}/${encodeURIComponent(id)}/items`;
          const query = state === undefined ? {} : { state };
          const items = await listAll(api, path, { name: 'items', item: itemResponse, query });
          output.result({ items }, () => {
            if (items.length === 0) {
              output.line(state === undefined ? 'Nothing was found yet.' : `No item has the state ${state}.`);
              return;
            }
            output.table(
              [
                { heading: 'STATE', cell: (item) => item.state },
                { heading: 'ADDRESS', cell: ({ url, key }) => url ?? key, flexible: true },
                { heading: 'REASON', cell: ({ reason }) => reason ?? '', flexible: true },
              ],
              items,
            );
          });
        },
      }),
    );
}

interface SourceAction {
  readonly summary: string;
  readonly about: string;
}

/** Commands that do one thing to a source and show it. */
const actions = {
  show: { summary: 'show a source', about: 'Shows a source with its settings and its last run.' },
  pause: {
    summary: 'pause a source',
    about: 'Ends a run that is going, and starts none until it is resumed.',
  },
  resume: { summary: 'resume a paused source', about: 'Lets a source follow its schedule again.' },
  apply: {
    summary: 'apply what a run holds',
    about: 'Removes and replaces the documents that an implausible run would have removed and replaced.',
  },
  discard: {
    summary: 'discard what a run holds',
    about: 'Throws away the changes of an implausible run. Documents stay as they are.',
  },
  cancel: { summary: 'cancel a run', about: 'Ends the run that is going; documents that it has added stay.' },
} as const satisfies Readonly<Record<string, SourceAction>>;

export function sourceAction(commandLine: CommandLine, name: keyof typeof actions) {
  return createCommand(name, {
    ...actions[name],
    examples: [
      [`source ${name} src_01k9`, 'in the only workspace'],
      [`source ${name} src_01k9 --workspace Shop`, 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the source does not exist',
  })
    .argument('<id>', 'id of the source, from source list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `${await sourcesPath(api, workspace)}/${encodeURIComponent(id)}`;
          const response =
            name === 'show' ? await api.call('GET', path) : await api.call('POST', `${path}/${name}`);
          const source = sourceResponse.parse(response);
          output.result(source, () => output.record(flattenSource(source, new Date())));
          if (name === 'apply' && !api.outlivesCommand) output.note(startNote);
        },
      }),
    );
}

export function sourceRun(commandLine: CommandLine) {
  return createCommand('run', {
    summary: 'read a source now',
    about:
      'Starts a run of a source in the background. With --full it reads every item again, also those that say that they have not changed.',
    examples: [
      ['source run src_01k9', 'read what may have changed'],
      ['source run src_01k9 --full', 'read everything again'],
    ],
    failure: 'the command failed, for example because a run is going',
  })
    .argument('<id>', 'id of the source, from source list')
    .option(...workspaceOption)
    .option('--full', 'read everything again')
    .action((id, { workspace, full, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `${await sourcesPath(api, workspace)}/${encodeURIComponent(id)}/run${full === true ? '?full=true' : ''}`;
          const source = sourceResponse.parse(await api.call('POST', path));
          output.result(source, () => output.record(flattenSource(source, new Date())));
          if (!api.outlivesCommand) output.note(startNote);
        },
      }),
    );
}

const changesResponse = z.object({
  taken: z.number(),
  left_out: z.array(z.object({ name: z.string(), code: z.string() })),
});
const collect = (value: string, before: readonly string[] = []) => [...before, value];

export function sourceChanged(commandLine: CommandLine) {
  return createCommand('changed', {
    summary: 'read items of a source now that have changed',
    about:
      'Reads the named items at once, beside a run that is going. With --deleted, what is gone is removed.',
    examples: [
      ['source changed src_01k9 --address https://acme.example/help/returns', 'read one page now'],
      ['source changed src_01k9 --key 4711 --deleted', 'remove an article that was deleted'],
    ],
    failure: 'the command failed, for example because the source is paused',
  })
    .argument('<id>', 'id of the source, from source list')
    .option(...workspaceOption)
    .option('--address <address>', 'the address of an item; repeatable', collect)
    .option('--key <key>', 'the key of an item; repeatable', collect)
    .option('--deleted', 'the items were deleted')
    .action((id, { workspace, address: addresses = [], key: keys = [], deleted = false, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `${await sourcesPath(api, workspace)}/${encodeURIComponent(id)}/changed`;
          const body = { addresses, keys, deleted };
          const result = changesResponse.parse(await api.call('POST', path, { body }));
          output.result(result, () => output.line(`${result.taken} items are read now.`));
          for (const { name, code } of result.left_out) output.note(`${name} is left out: ${code}`);
        },
      }),
    );
}

export function sourceDelete(commandLine: CommandLine) {
  return createCommand('delete', {
    summary: 'delete a source',
    about:
      'Deletes a source with its runs and credentials. Its documents stay as they are; with --documents they are deleted too.',
    examples: [
      ['source delete src_01k9', 'keep the documents'],
      ['source delete src_01k9 --documents', 'delete the documents too'],
    ],
    failure: 'the command failed, for example because the source does not exist',
  })
    .argument('<id>', 'id of the source, from source list')
    .option(...workspaceOption)
    .option('--documents', 'delete its documents too')
    .action((id, { workspace, documents, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `${await sourcesPath(api, workspace)}/${encodeURIComponent(id)}`;
          await api.call('DELETE', `${path}?documents=${documents === true ? 'delete' : 'keep'}`);
          output.result({ id, deleted: true }, () => output.line(`Deleted ${id}.`));
        },
      }),
    );
}
