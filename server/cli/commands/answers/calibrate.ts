import { z } from 'zod';
import { type CommandLine, createCommand } from '../../command.ts';
import { findWorkspace, workspaceOption } from '../../find-workspace.ts';
import type { Output } from '../../output.ts';

const share = z.number().nullable();

const fitResponse = z.looseObject({
  fit: z
    .looseObject({
      ...{ slope: z.number(), offset: z.number(), judged: z.number(), is_better: z.boolean() },
      ...{ before: z.number(), after: z.number(), helped: z.number() },
      ...{ log_loss_before: z.number(), log_loss_after: z.number() },
      bins: z.array(
        z.looseObject({
          ...{ from: z.number(), to: z.number(), answers: z.number() },
          ...{ before: share, after: share, helped: share },
        }),
      ),
    })
    .nullable(),
  offered: z.boolean(),
});

type Fit = NonNullable<z.output<typeof fitResponse>['fit']>;

export function calibrate(commandLine: CommandLine) {
  return createCommand('calibrate', {
    summary: 'fit a correction of how sure answers are to those that visitors judged',
    about: [
      'Fits two numbers to the answers of the last 90 days that visitors rated, or after which they asked for a person, and',
      'prints how sure the answers were, how many helped, and how sure they would be. Changes nothing. With --offer, a',
      'correction that is better by a margin is offered to the owner in the dashboard, as maintenance does every week.',
    ].join(' '),
    examples: [
      ['calibrate --workspace ws_01k9', 'print the table'],
      ['calibrate --offer', 'also offer the correction to the owner'],
    ],
    failure: 'the command failed; a correction that is no better is not a failure',
  })
    .option(...workspaceOption)
    .option('--offer', 'offer the correction to the owner if it is better')
    .action(({ workspace, offer = false, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/correction/fit`;
          const result = fitResponse.parse(await api.call('POST', path, { body: { offer } }));
          output.result(result, () => {
            if (result.fit === null) {
              output.line('Fewer than 40 answers were judged, or all alike: there is nothing to fit.');
              return;
            }
            printFit(result.fit, output);
            output.line(
              result.offered ? 'The correction is offered in the dashboard.' : verdict(result.fit, offer),
            );
          });
        },
      }),
    );
}

function verdict({ is_better: isBetter }: Fit, offer: boolean): string {
  if (!isBetter) return 'It is no better by the margin, and is not offered.';
  return offer ? 'It is not offered.' : 'It is better. Add --offer to offer it to the owner.';
}

function printFit(fit: Fit, output: Output): void {
  const { judged, before, after, helped, bins } = fit;
  output.table(
    [
      { heading: 'SURE', cell: ({ range }) => range },
      { heading: 'ANSWERS', cell: ({ answers }) => answers },
      { heading: 'BEFORE', cell: (row) => toPercent(row.before) },
      { heading: 'AFTER', cell: (row) => toPercent(row.after) },
      { heading: 'HELPED', cell: (row) => toPercent(row.helped) },
    ],
    [
      ...bins.map((bin) => ({ ...bin, range: `${toPercent(bin.from)} to ${toPercent(bin.to)}` })),
      { range: 'all', answers: judged, before, after, helped },
    ],
  );
  output.line();
  output.line(
    `Slope ${fit.slope}, offset ${fit.offset}. Log loss ${fit.log_loss_before} before, ${fit.log_loss_after} on answers held out.`,
  );
}

function toPercent(value: number | null): string {
  return value === null ? '' : `${Math.round(value * 100)} %`;
}
