import { Command, type CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import manifest from '../../package.json' with { type: 'json' };
import type { CommandLine } from './command.ts';
import { CommandError } from './command-error.ts';
import { ask } from './commands/ask.ts';
import {
  channelAdd,
  channelInstallLink,
  channelList,
  channelRemove,
  channelShow,
} from './commands/channel.ts';
import { conversationLogOut } from './commands/conversation.ts';
import { documentAdd, documentList, documentRemove, documentShow } from './commands/document.ts';
import { keyCreate, keyList, keyRevoke } from './commands/key.ts';
import { personErase, personExport } from './commands/person.ts';
import { queues } from './commands/queues.ts';
import { search } from './commands/search.ts';
import { secrets } from './commands/secrets.ts';
import {
  workspaceCreate,
  workspaceDelete,
  workspaceList,
  workspaceShow,
  workspaceUpdate,
} from './commands/workspace.ts';

const programDescription = `Parley's command line: workspaces, keys, documents, channels, conversations, secrets, queues and questions.

It works on the Parley server that has DATA_DIR (./data), or on the one that --server names. Where none runs it works on DATA_DIR, or DATABASE_URL, itself.`;

const helpFooter = `
First steps:
  npm run parley -- workspace create "Help centre"
  npm run parley -- document add ./docs
  npm run parley -- ask "Do you deliver to Germany?"

For programs (npm itself is silent then):
  npm run --silent parley -- document list --json

Exit codes:
  0  done
  1  refused or failed; the reason is on standard error
  2  the command line is wrong
  130  stopped with Ctrl-C`;

/** All commands. Wrong usage is thrown as a CommandError; after help and version a CommanderError is thrown. */
export function buildProgram(commandLine: CommandLine): CommandUnknownOpts {
  const program = new Command('parley')
    .description(programDescription)
    .version(manifest.version)
    // Else a command that has commands of its own takes their options.
    .enablePositionalOptions()
    .addHelpText('after', helpFooter);
  const groups = [
    new Command('workspace')
      .summary('make, list, show, change and delete workspaces')
      .description('Workspaces: each has documents, keys and conversations of its own.')
      .addCommand(workspaceCreate(commandLine))
      .addCommand(workspaceList(commandLine))
      .addCommand(workspaceShow(commandLine))
      .addCommand(workspaceUpdate(commandLine))
      .addCommand(workspaceDelete(commandLine)),
    new Command('key')
      .summary('make, list and revoke API keys')
      .description('API keys: programs send one with each request.')
      .addCommand(keyCreate(commandLine))
      .addCommand(keyList(commandLine))
      .addCommand(keyRevoke(commandLine)),
    new Command('document')
      .summary('add, list, show and remove documents')
      .description('Documents: what answers are drawn from.')
      .addCommand(documentAdd(commandLine))
      .addCommand(documentList(commandLine))
      .addCommand(documentShow(commandLine))
      .addCommand(documentRemove(commandLine)),
    new Command('channel')
      .summary('add, list, show, install and remove channels')
      .description('Channels: where people ask, such as a bot of a platform.')
      .addCommand(channelAdd(commandLine))
      .addCommand(channelList(commandLine))
      .addCommand(channelShow(commandLine))
      .addCommand(channelRemove(commandLine))
      .addCommand(channelInstallLink(commandLine)),
    new Command('conversation')
      .summary('end the sessions of visitors')
      .description('Conversations: what visitors and people said, by their ids in /v1/conversations.')
      .addCommand(conversationLogOut(commandLine)),
    new Command('person')
      .summary('export and erase what is held of one person')
      .description(
        'People: everything a workspace holds of one of them, by e-mail address, phone number or user id.',
      )
      .addCommand(personExport(commandLine))
      .addCommand(personErase(commandLine)),
    secrets(commandLine),
    queues(commandLine),
    search(commandLine),
    ask(commandLine),
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

/** Instead of ending the process and writing in the library's own words. */
function throwInsteadOfExit(command: CommandUnknownOpts, path: readonly string[]): void {
  command.configureOutput({ outputError: () => {} });
  command.exitOverride((error) => {
    throw error.exitCode === 0 || error.code === 'commander.help'
      ? error
      : toUsageError(error, path.join(' '));
  });
  for (const child of command.commands) throwInsteadOfExit(child, [...path, child.name()]);
}

/** What the parser says of a wrong command line, in the words and with the exit code of ours. */
function toUsageError(error: CommanderError, command: string): CommandError {
  const lines = error.message
    .replace(/^error: /, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return new CommandError(lines.join(' '), {
    code: 'wrong_usage',
    hint: `See what it takes: npm run parley -- ${command} --help`.replace(/ {2,}/g, ' '),
    exitCode: 2,
  });
}
