import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { planNames } from '../../../core/workspaces/plan.ts';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { readSetting } from '../read-settings.ts';

const created = z.looseObject({ id: z.string() });

export function workspaceCreate(commandLine: CommandLine) {
  return describeCommand('create', {
    summary: 'make a workspace',
    about:
      'Makes a workspace: documents, keys and conversations of its own. Shows its id, and its identity secret this one time.',
    examples: [
      ['workspace create "Help centre"', 'a workspace on the starter plan'],
      ['workspace create Shop --plan growth --set nlweb_enabled=true', 'another plan, open to public agents'],
    ],
    failure: 'refused or failed: nothing was made',
  })
    .argument('<name>', 'what people call it, 1 to 200 characters')
    .addOption(new Option('--plan <plan>', 'starter when left out').choices(planNames))
    .option('--owner <id>', 'whose it is; a new owner when left out')
    .option('--set <key=value>', 'a setting; may be repeated', readSetting)
    .action((name, { plan, owner, set, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const body = { name, plan, owner, settings: set };
          const workspace = created.parse(await api.call('POST', '/admin/v1/workspaces', { body }));
          output.result(workspace, () => output.record(workspace));
          output.note(`Next: npm run parley -- document add ./docs --workspace ${workspace.id}`);
        },
      }),
    );
}
