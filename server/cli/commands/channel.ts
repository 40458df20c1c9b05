import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type CredentialOptions, parseField, parseVariable, readCredentials } from '../channel-options.ts';
import { type CommandLine, type CommandSession, createCommand } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { formatTime, type Output } from '../output.ts';
import { listAll } from '../transports/operator-api.ts';

/** The fields of a channel that commands use. Other fields are passed through. */
const channelResponse = z.looseObject({
  id: z.string(),
  channel: z.string(),
  name: z.string(),
  status: z.string(),
  last_error: z.string().nullable(),
  heard_at: z.string().nullable(),
  enabled: z.boolean(),
  webhook_url: z.string().nullable(),
  parent: z.string().nullable(),
  tenant: z.string().nullable(),
  script_tag: z.string().nullish(),
  test_url: z.string().nullish(),
});

/** Prints how to use a widget; nothing for other kinds. */
function printWidgetHint({ script_tag, test_url }: z.output<typeof channelResponse>, output: Output): void {
  if (!script_tag || !test_url) return;
  output.note(`Paste script_tag into the pages that should show the widget. Test it first at ${test_url}`);
}

const addDescription = {
  summary: 'add a channel',
  about: [
    'Connects a workspace to a platform such as telegram, so that messages there are answered. The credentials are first',
    'checked with the platform; --set verify=false stores them without a check. Arguments on the command',
    'line stay in the history of your shell: use --credential-env or --credentials-stdin to keep secrets out of',
    'it. A value is text, or true, false, null, a list or an object. name:=value accepts any JSON, including numbers.',
    'a.b=value sets the field b of a. Without credentials, the command prints the steps to take on the platform first,',
    'if there are any.',
  ].join(' '),
  examples: [
    ['channel add slack', 'print the app manifest for Slack and the next steps'],
    [
      'channel add telegram --name "Help bot" --credential-env bot_token=BOT_TOKEN',
      'add a bot whose token is in the environment variable BOT_TOKEN',
    ],
    [
      'channel add telegram --name "Help bot" --credential bot_token=123:abc --set mode=polling',
      'add a bot that polls, for a server without a public address',
    ],
    [
      'channel add telegram --name "Help bot" --credentials-stdin',
      'read the credentials from standard input, such as < bot.env: lines of name=value, or JSON',
    ],
  ],
  failure: 'the command failed, for example because the platform rejected the credentials',
} as const;

export function channelAdd(commandLine: CommandLine) {
  return createCommand('add', addDescription)
    .argument('<channel>', 'kind of the channel; an unknown kind lists the available ones')
    .option(...workspaceOption)
    .option('--parent <id>', 'parent channel whose app it shares; missing values are inherited')
    .option('--name <name>', 'display name (default: the kind)')
    .option('--credential <name=value>', 'a credential from the platform; repeatable', parseField)
    .option(
      '--credential-env <name=VARIABLE>',
      'a credential from an environment variable; repeatable',
      parseVariable,
    )
    .option('--credentials-stdin', 'read the credentials from standard input')
    .option('--set <name=value>', 'a setting of the channel; repeatable', parseField)
    .action(async (channel, { workspace, parent, name, set, ...options }) => {
      const { credential, credentialEnv, credentialsStdin, ...common } = options;
      const given = { credential, credentialEnv, credentialsStdin };
      const needsGuide = parent === undefined && hasNoCredentials(given);
      const guide = needsGuide ? await findGuide(channel, name ?? 'Parley') : null;
      if (guide !== null) {
        commandLine.print(common, (output) => showGuide(output, channel, guide));
        return;
      }
      await commandLine.execute(common, {
        async run(session) {
          const { api, output } = session;
          const credentials = await readCredentials(given, session);
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const body = { channel, name, credentials, settings: set, parent };
          const added = channelResponse.parse(await api.call('POST', path, { body }));
          output.result(added, () => output.record(added));
          printWidgetHint(added, output);
          if (added.status === 'error') {
            output.note(`The channel is stored but not connected: ${added.last_error}`);
          } else if (added.webhook_url !== null && added.parent === null) {
            output.note('Enter webhook_url on the platform if it asks for a webhook URL.');
          }
        },
      });
    });
}

function hasNoCredentials(given: CredentialOptions): boolean {
  return Object.values(given).every((value) => value === undefined);
}

/** Widgets and pages have no credentials: they are added at once. */
function hasNoFields(schema: z.ZodType): boolean {
  return schema.safeParse({}).success;
}

/** Returns the steps to take on the platform's pages first, or null if this kind of channel has none. */
async function findGuide(channel: string, name: string): Promise<string | null> {
  // Imported lazily: the registry loads the libraries of all platforms, which most commands do not need.
  const { findConnector } = await import('../../../connectors/registry.ts');
  const connector = findConnector(channel);
  if (connector === undefined || hasNoFields(connector.manifest.credentials)) return null;
  const { loadGuide, printGuide } = await import('../../docs/channel-guide.ts');
  const guide = await loadGuide(connector.about.page, connector.guideValues?.({ name, webhookUrl: null }));
  return guide.steps.length === 0 ? null : printGuide(guide);
}

function showGuide(output: Output, channel: string, guide: string): void {
  output.result({ added: false, channel, guide }, () => output.text(guide));
  output.note(
    'No channel was added yet. Follow the steps above to get credentials, then run the command with them.',
  );
}

type Channel = z.output<typeof channelResponse>;

export function channelList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the channels of a workspace',
    about: 'Lists the channels, newest first, with the last activity of their platform and its last error.',
    examples: [
      ['channel list', 'in the only workspace'],
      ['channel list --workspace Shop --json', 'in one of several workspaces, as JSON'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const channels = await listAll(api, path, { name: 'channels', item: channelResponse });
          output.result({ channels }, () => {
            if (channels.length === 0) {
              output.line('This workspace has no channels. Add one: npm run parley -- channel add --help');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'CHANNEL', cell: ({ channel }) => channel },
                { heading: 'NAME', cell: ({ name }) => name, flexible: true },
                ...(channels.some(({ parent }) => parent !== null)
                  ? [
                      { heading: 'PARENT', cell: (channel: Channel) => channel.parent ?? '' },
                      { heading: 'TENANT', cell: (channel: Channel) => channel.tenant ?? '', flexible: true },
                    ]
                  : []),
                { heading: 'STATUS', cell: ({ enabled, status }) => (enabled ? status : 'off') },
                { heading: 'HEARD', cell: (channel) => formatTime(channel.heard_at) || 'never' },
                { heading: 'ERROR', cell: (channel) => channel.last_error ?? '', flexible: true },
              ],
              channels,
            );
          });
        },
      }),
    );
}

export function channelShow(commandLine: CommandLine) {
  return createCommand('show', {
    summary: 'show a channel',
    about:
      'Shows a channel with its status, settings, webhook URL and account on the platform. Credentials are never shown.',
    examples: [
      ['channel show chan_01k9', 'in the only workspace'],
      ['channel show chan_01k9 --workspace Shop --json', 'in one of several workspaces, as JSON'],
    ],
    failure: 'the command failed, for example because the channel does not exist',
  })
    .argument('<id>', 'id of the channel, from channel list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const channel = channelResponse.parse(await api.call('GET', `${path}/${encodeURIComponent(id)}`));
          output.result(channel, () => output.record(channel));
          printWidgetHint(channel, output);
        },
      }),
    );
}

const checksResponse = z.looseObject({
  checks: z.array(
    z.looseObject({
      id: z.string(),
      state: z.enum(['done', 'waiting', 'failed', 'blocked']),
      at: z.string().nullable(),
      detail: z.string().nullable(),
    }),
  ),
  notes: z.array(z.string()),
});

type Checks = z.output<typeof checksResponse>;
type Check = Checks['checks'][number];

const checkNames: Readonly<Record<string, string>> = {
  credentials: 'the platform accepts the credentials',
  connection: 'the platform and this installation reach each other',
  signature: 'a request had the right signature',
  message: 'a visitor wrote',
  answer: 'an answer was sent',
};

const noteTexts: Readonly<Record<string, string>> = {
  group_privacy: [
    'Privacy mode is on: in groups the bot receives commands, mentions and replies only. To change that, write /setprivacy',
    'to @BotFather, choose the bot, then Disable, and add the bot to its groups once more.',
  ].join(' '),
};

const pollMs = 1_500;

export function channelCheck(commandLine: CommandLine) {
  return createCommand('check', {
    summary: 'check that a channel works',
    about: [
      'Asks the platform whether it accepts the credentials, and shows what was seen of the channel so far: the connection, a',
      'first message, an answer. With --watch, the command waits until everything was seen, and says each change on standard',
      'error. Ctrl-C ends it.',
    ].join(' '),
    examples: [
      ['channel check chan_01k9', 'what was seen so far'],
      ['channel check chan_01k9 --watch', 'wait for the first message and its answer'],
    ],
    failure: 'a check is not green',
  })
    .argument('<id>', 'id of the channel, from channel list')
    .option('--watch', 'wait until every check is green')
    .option(...workspaceOption)
    .action((id, { workspace, watch, ...options }) =>
      commandLine.execute(options, {
        async run(session) {
          const { api, output } = session;
          const channels = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const path = `${channels}/${encodeURIComponent(id)}`;
          const first = checksResponse.parse(await api.call('POST', `${path}/check`));
          const shown = watch === true ? await watchChecks(path, first, session) : first;
          output.result(shown, () => {
            output.table(
              [
                { heading: 'CHECK', cell: (check: Check) => checkNames[check.id] ?? check.id },
                { heading: 'STATE', cell: ({ state }) => state },
                { heading: 'AT', cell: ({ at }) => formatTime(at) },
                { heading: 'DETAIL', cell: ({ detail }) => detail ?? '', flexible: true },
              ],
              shown.checks,
            );
          });
          for (const note of shown.notes) output.note(noteTexts[note] ?? note);
          const open = openChecks(shown).length;
          if (open > 0) {
            throw new CommandError(`${open} of ${shown.checks.length} checks are not green.`, {
              code: 'checks_open',
              hint: watch === true ? undefined : 'To wait for them: add --watch, then write to the channel.',
            });
          }
        },
      }),
    );
}

function openChecks({ checks }: Checks): readonly Check[] {
  return checks.filter(({ state }) => state !== 'done');
}

/** Reads the checks again until all are green, or until the user stops the command. */
async function watchChecks(
  path: string,
  first: Checks,
  { api, output, signal }: CommandSession,
): Promise<Checks> {
  let last = first;
  const say = ({ id, state }: Check) => output.note(`${state.padEnd(7)}  ${checkNames[id] ?? id}`);
  for (const check of first.checks) say(check);
  while (openChecks(last).length > 0 && !signal.aborted) {
    await wait(pollMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    const next = checksResponse.parse(await api.call('GET', `${path}/checks`));
    const before = new Map(last.checks.map(({ id, state }) => [id, state]));
    for (const check of next.checks) if (before.get(check.id) !== check.state) say(check);
    last = next;
  }
  return last;
}

export function channelRemove(commandLine: CommandLine) {
  return createCommand('remove', {
    summary: 'remove a channel',
    about: [
      'Removes a channel with its credentials and disconnects it from the platform. Messages there are no longer',
      'answered. Its conversations are kept. This cannot be undone.',
    ].join(' '),
    examples: [
      ['channel remove chan_01k9', 'in the only workspace'],
      ['channel remove chan_01k9 --workspace Shop', 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the channel does not exist',
  })
    .argument('<id>', 'id of the channel, from channel list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          await api.call('DELETE', `${path}/${encodeURIComponent(id)}`);
          output.result({ id, removed: true }, () => output.line(`Removed ${id}.`));
        },
      }),
    );
}

const linkResponse = z.looseObject({ url: z.string(), expires_at: z.string() });

export function channelInstallLink(commandLine: CommandLine) {
  return createCommand('install-link', {
    summary: 'create a link that installs the app of a channel for a workspace',
    about: [
      'Creates a link that an administrator opens to install the app of a channel, such as a Slack app, in their own team.',
      'Messages there are answered from the workspace given with --workspace; the channel may belong to another workspace. The',
      'link can be used once, within an hour.',
    ].join(' '),
    examples: [
      ['channel install-link chan_01k9', 'for the only workspace'],
      ['channel install-link chan_01k9 --workspace Acme', 'for a customer with their own workspace'],
    ],
    failure: 'the command failed, for example because channels of this kind are not installed by a link',
  })
    .argument('<id>', 'id of the channel that has the app, from channel list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const link = linkResponse.parse(
            await api.call('POST', `${path}/${encodeURIComponent(id)}/install-links`),
          );
          output.result(link, () => output.line(link.url));
          output.note('The link can be used once, within an hour.');
        },
      }),
    );
}
