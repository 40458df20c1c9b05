import { Command, type CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import manifest from '../../package.json' with { type: 'json' };
import type { CommandLine } from './command.ts';
import { CommandError } from './command-error.ts';
import { ask, search } from './commands/answers/ask.ts';
import { calibrate } from './commands/answers/calibrate.ts';
import { audit } from './commands/audit.ts';
import {
  channelAdd,
  channelCheck,
  channelInstallLink,
  channelList,
  channelRemove,
  channelShow,
} from './commands/channel.ts';
import {
  conversationList,
  conversationLogOut,
  conversationReply,
  conversationShow,
} from './commands/conversation.ts';
import { documentAdd, documentList, documentRemove, documentShow } from './commands/document.ts';
import { alerts } from './commands/installation/alerts.ts';
import { backup, restore } from './commands/installation/backup.ts';
import { doctor } from './commands/installation/doctor.ts';
import { keyCreate, keyList, keyRevoke } from './commands/key.ts';
import { peopleErase, peopleExport } from './commands/people.ts';
import { personAdd, personLink, personList, personRemove } from './commands/person.ts';
import { queues } from './commands/queues.ts';
import { report } from './commands/report.ts';
import { secrets } from './commands/secrets.ts';
import { skillAdd, skillList, skillRemove, skillTest } from './commands/skill.ts';
import {
  sourceAction,
  sourceAdd,
  sourceChanged,
  sourceDelete,
  sourceItems,
  sourceList,
  sourceRun,
} from './commands/source.ts';
import {
  webhookAdd,
  webhookDeliveries,
  webhookList,
  webhookRemove,
  webhookReplay,
} from './commands/webhook.ts';
import {
  usage,
  workspaceCreate,
  workspaceDelete,
  workspaceList,
  workspaceShow,
  workspaceUpdate,
} from './commands/workspace.ts';
import { completion } from './completion.ts';

const programDescription = `Manages a Parley installation: workspaces, keys, documents, sources, channels, conversations, webhooks, skills, people, secrets, queues, backups and alerts, and checks the installation.

The commands run on the Parley server that uses DATA_DIR (./data), or on the server given with --server. If no server runs, they open DATA_DIR or DATABASE_URL directly.`;

const helpFooter = `
First steps:
  npm run parley -- workspace create "Help centre"
  npm run parley -- document add ./docs
  npm run parley -- ask "Do you deliver to Germany?"

--json, --server and --workspace may stand anywhere on the line. \`npx parley\` in a clone does the same as \`npm run parley --\`.

For scripts (--silent suppresses npm's own output):
  npm run --silent parley -- document list --json

Exit codes:
    0  success
    1  the command failed; the reason is on standard error
    2  the command line is invalid
    130  stopped with Ctrl-C`;

/**
 * Builds the program with all commands. Throws a CommandError for invalid usage, and a CommanderError after
 * help and version.
 */
export function buildProgram(commandLine: CommandLine): CommandUnknownOpts {
  const program = new Command('parley')
    .description(programDescription)
    .version(manifest.version)
    // Otherwise a command with subcommands would parse their options.
    .enablePositionalOptions()
    .addHelpText('after', helpFooter);
  const groups = [
    new Command('workspace')
      .summary('create, list, show, change and delete workspaces')
      .description('Workspaces: each has its own documents, keys and conversations.')
      .addCommand(workspaceCreate(commandLine))
      .addCommand(workspaceList(commandLine))
      .addCommand(workspaceShow(commandLine))
      .addCommand(workspaceUpdate(commandLine))
      .addCommand(workspaceDelete(commandLine)),
    new Command('key')
      .summary('create, list and revoke API keys')
      .description('API keys: programs authenticate their requests with them.')
      .addCommand(keyCreate(commandLine))
      .addCommand(keyList(commandLine))
      .addCommand(keyRevoke(commandLine)),
    new Command('document')
      .summary('add, list, show and remove documents')
      .description('Documents: the sources of the answers.')
      .addCommand(documentAdd(commandLine))
      .addCommand(documentList(commandLine))
      .addCommand(documentShow(commandLine))
      .addCommand(documentRemove(commandLine)),
    new Command('source')
      .summary('add, list, run, pause and delete sources, list their items')
      .description('Sources: websites, folders and tools whose pages become documents and stay in step.')
      .addCommand(sourceAdd(commandLine))
      .addCommand(sourceList(commandLine))
      .addCommand(sourceAction(commandLine, 'show'))
      .addCommand(sourceRun(commandLine))
      .addCommand(sourceChanged(commandLine))
      .addCommand(sourceAction(commandLine, 'cancel'))
      .addCommand(sourceAction(commandLine, 'apply'))
      .addCommand(sourceAction(commandLine, 'discard'))
      .addCommand(sourceAction(commandLine, 'pause'))
      .addCommand(sourceAction(commandLine, 'resume'))
      .addCommand(sourceItems(commandLine))
      .addCommand(sourceDelete(commandLine)),
    new Command('channel')
      .summary('add, list, show, check, install and remove channels')
      .description('Channels: the places where visitors ask questions, such as a bot on a platform.')
      .addCommand(channelAdd(commandLine))
      .addCommand(channelList(commandLine))
      .addCommand(channelShow(commandLine))
      .addCommand(channelCheck(commandLine))
      .addCommand(channelRemove(commandLine))
      .addCommand(channelInstallLink(commandLine)),
    new Command('conversation')
      .summary('list, show and answer conversations, end the sessions of a visitor')
      .description('Conversations with visitors.')
      .addCommand(conversationList(commandLine))
      .addCommand(conversationShow(commandLine))
      .addCommand(conversationReply(commandLine))
      .addCommand(conversationLogOut(commandLine)),
    new Command('webhook')
      .summary('add, list and remove webhooks, replay deliveries')
      .description('Webhooks: events of a workspace are posted to them.')
      .addCommand(webhookAdd(commandLine))
      .addCommand(webhookList(commandLine))
      .addCommand(webhookRemove(commandLine))
      .addCommand(webhookDeliveries(commandLine))
      .addCommand(webhookReplay(commandLine)),
    new Command('skill')
      .summary('add, list, test and remove HTTP skills')
      .description('HTTP skills: functions of yours that the model can call while it answers.')
      .addCommand(skillAdd(commandLine))
      .addCommand(skillList(commandLine))
      .addCommand(skillTest(commandLine))
      .addCommand(skillRemove(commandLine)),
    new Command('person')
      .summary('list, invite, let in again and remove people who sign in')
      .description('Persons: the people who sign in to the dashboard.')
      .addCommand(personList(commandLine))
      .addCommand(personAdd(commandLine))
      .addCommand(personLink(commandLine))
      .addCommand(personRemove(commandLine)),
    new Command('people')
      .summary('export and erase the data of a customer')
      .description(
        'People who wrote to a workspace: all data of one of them, found by email address, phone number or user id.',
      )
      .addCommand(peopleExport(commandLine))
      .addCommand(peopleErase(commandLine)),
    report(commandLine),
    secrets(commandLine),
    queues(commandLine),
    alerts(commandLine),
    backup(commandLine),
    restore(commandLine),
    doctor(commandLine),
    audit(commandLine),
    calibrate(commandLine),
    usage(commandLine),
    search(commandLine),
    ask(commandLine),
    completion(commandLine, () => program),
  ];
  for (const group of groups) program.addCommand(group);
  throwInsteadOfExit(program, []);
  redirectHelp(program, (text) => commandLine.help(text));
  return program;
}

function redirectHelp(command: CommandUnknownOpts, writeOut: CommandLine['help']): void {
  command.configureOutput({ writeOut });
  for (const child of command.commands) redirectHelp(child, writeOut);
}

/** Throws CommandErrors instead of ending the process with the messages of commander. */
function throwInsteadOfExit(command: CommandUnknownOpts, path: readonly string[]): void {
  command.configureOutput({ outputError: () => {} });
  command.exitOverride((error) => {
    throw error.exitCode === 0 || error.code === 'commander.help'
      ? error
      : toUsageError(error, path.join(' '));
  });
  for (const child of command.commands) throwInsteadOfExit(child, [...path, child.name()]);
}

/** Converts an error of the parser into a CommandError. */
function toUsageError(error: CommanderError, command: string): CommandError {
  const lines = error.message
    .replace(/^error: /, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return new CommandError(lines.join(' '), {
    code: 'wrong_usage',
    hint: `See its options: npm run parley -- ${command} --help`.replace(/ {2,}/g, ' '),
    exitCode: 2,
  });
}
