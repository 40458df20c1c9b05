import { channelAnswer, tellWidget } from '../channel-answer.ts';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { type CredentialOptions, givenCredentials } from '../given-credentials.ts';
import type { Output } from '../output/output.ts';
import { readField } from '../read-field.ts';
import { readVariable } from '../read-variable.ts';

const description = {
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
  return describeCommand('add', description)
    .argument('<channel>', 'its kind; an unknown one is answered with those that there are')
    .option(...workspaceOption)
    .option('--parent <id>', 'the channel whose app it shares: what is not given is that one’s')
    .option('--name <name>', 'what you recognise it by; that of its kind when left out')
    .option('--credential <name=value>', 'what the platform gave you; may be repeated', readField)
    .option('--credential-env <name=VARIABLE>', 'the same from the environment', readVariable)
    .option('--credentials-stdin', 'the same from standard input')
    .option('--set <name=value>', 'a setting of the channel; may be repeated', readField)
    .action(async (channel, { workspace, parent, name, set, ...options }) => {
      const { credential, credentialEnv, credentialsStdin, ...common } = options;
      const given = { credential, credentialEnv, credentialsStdin };
      const isAlone = parent === undefined && holdsNone(given);
      const guide = isAlone ? await guideOf(channel, name ?? 'Parley') : null;
      if (guide !== null) {
        commandLine.tell(common, (output) => tellGuide(output, channel, guide));
        return;
      }
      await commandLine.carryOut(common, {
        async run(session) {
          const { api, output } = session;
          const credentials = await givenCredentials(given, session);
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/channels`;
          const body = { channel, name, credentials, settings: set, parent };
          const added = channelAnswer.parse(await api.call('POST', path, { body }));
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

function holdsNone(given: CredentialOptions): boolean {
  return Object.values(given).every((value) => value === undefined);
}

/** What is done on the platform's own pages first; null for a kind of channel that has no such thing. */
async function guideOf(channel: string, name: string): Promise<string | null> {
  // Loads the library of every platform: most commands do without.
  const { findConnector } = await import('../../../connectors/registry.ts');
  return findConnector(channel)?.facets.guide?.({ name, webhookUrl: null }) ?? null;
}

function tellGuide(output: Output, channel: string, guide: string): void {
  output.result({ added: false, channel, guide }, () => output.text(guide));
  output.note('Nothing was added yet: that takes credentials, which the platform gives you as described.');
}
