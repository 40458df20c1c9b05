import { z } from 'zod';
import { type CredentialOptions, parseField, parseVariable, readCredentials } from '../channel-options.ts';
import { type CommandLine, createCommand } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { formatTime, type Output } from '../output.ts';
import { listAll } from '../transports/operator-api.ts';

/** What the command line reads of a channel; the rest is passed on. */
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

/** What to do with a widget; nothing for other kinds. */
function tellWidget({ script_tag, test_url }: z.output<typeof channelResponse>, output: Output): void {
  if (!script_tag || !test_url) return;
  output.note(`Paste script_tag into the pages that carry the widget. Try it first at ${test_url}`);
}

const addDescription = {
  summary: 'add a channel',
  about: [
    'Connects a workspace to a platform, such as telegram: what people write there is answered there. The platform is',
    'asked first whether it takes the credentials; with --set verify=false they are stored unasked. What is on the',
    'command line stays in the history of your shell: --credential-env and --credentials-stdin keep secrets out of',
    'it. A value is text, or true, false, null, a list or an object; name:=value takes any JSON, numbers too, and',
    'a.b=value sets the field b of a. Without credentials it says what to do on the pages of the platform first, where',
    'there is something to do.',
  ].join(' '),
  examples: [
    ['channel add slack', 'the app manifest to paste into Slack, and what comes after that'],
    [
      'channel add telegram --name "Help bot" --credential-env bot_token=BOT_TOKEN',
      'a bot whose token is in the variable BOT_TOKEN',
    ],
    [
      'channel add telegram --name "Help bot" --credential bot_token=123:abc --set mode=polling',
      'one that asks for its messages, where this server has no public address',
    ],
    [
      'channel add telegram --name "Help bot" --credentials-stdin',
      'its credentials from standard input, such as < bot.env: lines of name=value, or JSON',
    ],
  ],
  failure: 'refused or failed, for instance because the platform does not take the credentials',
} as const;

export function channelAdd(commandLine: CommandLine) {
  return createCommand('add', addDescription)
    .argument('<channel>', 'its kind; an unknown one is answered with those that there are')
    .option(...workspaceOption)
    .option('--parent <id>', 'the channel whose app it shares: what is not given is that one’s')
    .option('--name <name>', 'what you recognise it by; that of its kind when left out')
    .option('--credential <name=value>', 'what the platform gave you; may be repeated', parseField)
    .option('--credential-env <name=VARIABLE>', 'the same from the environment', parseVariable)
    .option('--credentials-stdin', 'the same from standard input')
    .option('--set <name=value>', 'a setting of the channel; may be repeated', parseField)
    .action(async (channel, { workspace, parent, name, set, ...options }) => {
      const { credential, credentialEnv, credentialsStdin, ...common } = options;
      const given = { credential, credentialEnv, credentialsStdin };
      const isAlone = parent === undefined && hasNoCredentials(given);
      const guide = isAlone ? await loadGuide(channel, name ?? 'Parley') : null;
      if (guide !== null) {
        commandLine.print(common, (output) => printGuide(output, channel, guide));
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
          tellWidget(added, output);
          if (added.status === 'error') {
            output.note(`It is stored, but not connected: ${added.last_error}`);
          } else if (added.webhook_url !== null && added.parent === null) {
            output.note('The platform posts to webhook_url: enter it there, where it asks for one.');
          }
        },
      });
    });
}

function hasNoCredentials(given: CredentialOptions): boolean {
  return Object.values(given).every((value) => value === undefined);
}

/** What is done on the platform's own pages first; null for a kind of channel that has no such thing. */
async function loadGuide(channel: string, name: string): Promise<string | null> {
  // Loads the library of every platform: most commands do without.
  const { findConnector } = await import('../../../connectors/registry.ts');
  return findConnector(channel)?.facets.guide?.({ name, webhookUrl: null }) ?? null;
}

function printGuide(output: Output, channel: string, guide: string): void {
  output.result({ added: false, channel, guide }, () => output.text(guide));
  output.note('Nothing was added yet: that takes credentials, which the platform gives you as described.');
}

type Channel = z.output<typeof channelResponse>;

export function channelList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the channels of a workspace',
    about:
      'Lists the channels, the newest first, with when their platform was last heard of and what it complains about.',
    examples: [
      ['channel list', 'of the only workspace'],
      ['channel list --workspace Shop --json', 'of one of several, for programs'],
    ],
    failure: 'refused or failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const channels = await listAll(api, path, { name: 'channels', item: channelResponse });
          output.result({ channels }, () => {
            if (channels.length === 0) {
              output.line('There is no channel. Add one: npm run parley -- channel add --help');
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
      'Shows all that is known of a channel: status, settings, where its platform posts, and who it is there. Never its credentials.',
    examples: [
      ['channel show chan_01k9', 'in the only workspace'],
      ['channel show chan_01k9 --workspace Shop --json', 'in one of several, for programs'],
    ],
    failure: 'refused or failed, for instance because there is no such channel',
  })
    .argument('<id>', 'its id, from channel list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const channel = channelResponse.parse(await api.call('GET', `${path}/${encodeURIComponent(id)}`));
          output.result(channel, () => output.record(channel));
          tellWidget(channel, output);
        },
      }),
    );
}

export function channelRemove(commandLine: CommandLine) {
  return createCommand('remove', {
    summary: 'remove a channel',
    about: [
      'Removes a channel with its credentials: what is written there is not answered any more, and the platform is',
      'told so. Its conversations stay. This cannot be undone.',
    ].join(' '),
    examples: [
      ['channel remove chan_01k9', 'in the only workspace'],
      ['channel remove chan_01k9 --workspace Shop', 'in one of several'],
    ],
    failure: 'refused or failed, for instance because there is no such channel',
  })
    .argument('<id>', 'its id, from channel list')
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
    summary: 'make a link that installs the app of a channel for a workspace',
    about: [
      'Makes a link by which a person lets the app of a channel, such as a Slack app, into his own team. What is written',
      'there is answered from the workspace that --workspace names; the channel may be of another one. The link can be',
      'used once, within an hour.',
    ].join(' '),
    examples: [
      ['channel install-link chan_01k9', 'for the only workspace'],
      ['channel install-link chan_01k9 --workspace Acme', 'for a customer with a workspace of his own'],
    ],
    failure: 'refused or failed, for instance because channels of that kind are not installed by a link',
  })
    .argument('<id>', 'of the channel that has the app, from channel list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const link = linkResponse.parse(
            await api.call('POST', `${path}/${encodeURIComponent(id)}/install-links`),
          );
          output.result(link, () => output.line(link.url));
          output.note('It can be used once, within an hour.');
        },
      }),
    );
}
