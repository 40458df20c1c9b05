import { z } from 'zod';
import { type CommandLine, createCommand, parseWholeNumber } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { formatTime } from '../output.ts';

const auditResponse = z.object({
  audit_log: z.array(
    z.looseObject({
      at: z.string(),
      actor: z.string(),
      action: z.string(),
      conversation_id: z.string().nullable(),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
});

export function audit(commandLine: CommandLine) {
  return createCommand('audit', {
    summary: 'list the changes of a workspace',
    about:
      'Lists who changed what, and who signed in, newest first. The dashboard and GET …/audit-log.csv export all of it.',
    examples: [
      ['audit', 'the latest 50 changes'],
      ['audit --actor "Ann Reid" --action member_invited --since 2030-01-01', 'with filters'],
      ['audit --conversations --limit 100 --json', 'also changes of single conversations, as JSON'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .option('--actor <name>', 'exact name of the person, key or process')
    .option('--action <name>', 'such as member_invited')
    .option('--since <time>', 'at or after this ISO 8601 time')
    .option('--until <time>', 'before this ISO 8601 time')
    .option('--conversations', 'include the changes of single conversations')
    .option('--limit <number>', '1 to 100, default 50', parseWholeNumber)
    .action(({ workspace, json, server, conversations, limit = 50, ...filters }) =>
      commandLine.execute(
        { json, server },
        {
          async run({ api, output }) {
            const query = new URLSearchParams({ limit: `${limit}` });
            for (const [name, value] of Object.entries(filters)) {
              if (value !== undefined) query.set(name, value);
            }
            if (conversations === true) query.set('conversations', 'true');
            const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/audit-log?${query}`;
            const { audit_log: entries } = auditResponse.parse(await api.call('GET', path));
            output.result({ audit_log: entries }, () => {
              if (entries.length === 0) {
                output.line('Nothing was changed.');
                return;
              }
              output.table(
                [
                  { heading: 'TIME', cell: ({ at }) => formatTime(at) },
                  { heading: 'WHO', cell: ({ actor }) => actor },
                  { heading: 'WHAT', cell: ({ action }) => action },
                  { heading: 'CONVERSATION', cell: ({ conversation_id }) => conversation_id ?? '' },
                  { heading: 'DETAILS', cell: ({ details }) => JSON.stringify(details), flexible: true },
                ],
                entries,
              );
            });
          },
        },
      ),
    );
}
