import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { planNames } from '../../../core/workspaces/plan.ts';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace } from '../find-workspace.ts';
import { readSetting, settingNames } from '../read-settings.ts';

export function workspaceUpdate(commandLine: CommandLine) {
  return describeCommand('update', {
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
    .option('--set <key=value>', 'a setting; may be repeated', readSetting)
    .action((id, { name, plan, set, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, id)}`;
          const answer = await api.call('PATCH', path, { body: { name, plan, settings: set } });
          const workspace = z.looseObject({}).parse(answer);
          output.result(workspace, () => output.record(workspace));
        },
      }),
    );
}
