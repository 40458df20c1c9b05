import { Argument, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type CommandLine, createCommand } from './command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** The words that may follow a chain of commands: `['document', ['add', 'list', …]]`. */
type Choices = readonly (readonly [path: string, words: readonly string[]])[];

/** Prints a script that completes commands and options. `program` is asked when the command runs, with all its commands. */
export function completion(commandLine: CommandLine, program: () => CommandUnknownOpts) {
  return createCommand('completion', {
    summary: 'print a script that completes commands',
    about:
      'Prints a script for a shell that completes the commands and options of parley, also of npx parley.',
    examples: [
      ['completion bash', 'for ~/.bashrc: source <(npx parley completion bash)'],
      ['completion fish', 'for ~/.config/fish/completions/parley.fish'],
    ],
    failure: 'the command failed',
  })
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(shells))
    .action((shell, options) => {
      const script = renderers[shell](listChoices(program(), []));
      commandLine.print(options, (output) => output.result({ shell, script }, () => output.line(script)));
    });
}

function listChoices(command: CommandUnknownOpts, path: readonly string[]): Choices {
  const words = [
    ...command.commands.map((child) => child.name()),
    ...command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
  ];
  const deeper = command.commands.flatMap((child) => listChoices(child, [...path, child.name()]));
  return [[path.join(' '), words], ...deeper];
}

const quoted = (text: string) => `'${text}'`;
const pathsOf = (choices: Choices) => choices.map(([path]) => path).filter((path) => path !== '');

const renderers: Readonly<Record<Shell, (choices: Choices) => string>> = {
  bash: (choices) => `# parley completion for bash
_parley() {
  local at='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${pathsOf(choices).map(quoted).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  local words=''
  case "$at" in
${choices.map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley`,
  zsh: (choices) => `#compdef parley
# parley completion for zsh
_parley() {
  local at='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${pathsOf(choices).map(quoted).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${choices.map(([path, words]) => `    '${path}') compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _parley parley`,
  fish: (choices) => `# parley completion for fish
function __parley_at
  set -l at ''
  for word in (commandline -opc)[2..]
    switch (string trim "$at $word")
      case ${pathsOf(choices).map(quoted).join(' ')}
        set at (string trim "$at $word")
    end
  end
  test "$at" = "$argv[1]"
end
${choices.map(([path, words]) => `complete -c parley -n "__parley_at '${path}'" -a '${words.join(' ')}'`).join('\n')}`,
};
