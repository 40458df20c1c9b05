import { stringify } from 'yaml';
import { listAlertRules } from '../../../../core/health/alert-rules.ts';
import { type CommandLine, createCommand } from '../../command.ts';

const defaultAddress = 'http://localhost:3000';

export function alerts(commandLine: CommandLine) {
  return createCommand('alerts', {
    summary: 'print alert rules for Prometheus',
    about: [
      'Prints a file of rules with an alert for each part of the installation and for failing requests, channels and messages.',
      'Each rule says what to do and links to the runbook at PUBLIC_URL. The rules belong to this version: print them again after',
      'an upgrade.',
    ].join(' '),
    examples: [
      ['alerts', 'print the rules, for a file in rule_files of Prometheus'],
      ['alerts --json', 'print the same as JSON, which Prometheus reads too'],
    ],
    failure: 'the command failed',
  }).action((options) =>
    commandLine.run(options, async ({ output, environment }) => {
      const address = (environment.PUBLIC_URL || defaultAddress).replace(/\/$/, '');
      const rules = { groups: [{ name: 'parley', rules: listAlertRules(`${address}/docs/guide`) }] };
      output.result(rules, () => output.line(stringify(rules, { lineWidth: 0 }).trimEnd()));
    }),
  );
}
