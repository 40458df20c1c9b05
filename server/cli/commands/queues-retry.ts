import { Argument } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';

const answer = z.looseObject({ retried: z.number() });

export function queuesRetry(commandLine: CommandLine) {
  return describeCommand('retry', {
    summary: 'try again what was given up',
    about: [
      'Tries again what a queue gave up, at once: with answer, messages that no answer could be made for; with deliver,',
      'answers that could not be sent. Mend what stood in the way first, such as a token that was revoked. What the',
      'platform refused for good is not tried again.',
    ].join(' '),
    examples: [
      ['queues retry deliver', 'send what could not be sent'],
      ['queues retry answer --channel chan_01k9', 'answer what came in one channel'],
    ],
    failure: 'refused or failed, for instance because there is no such channel',
  })
    .addArgument(new Argument('<queue>', 'what to try again').choices(['answer', 'deliver'] as const))
    .option('--channel <id>', 'only of this channel')
    .action((name, { channel, ...options }) =>
      commandLine.carryOut(options, {
        async run({ api, output }) {
          const body = { channel_id: channel };
          const { retried } = answer.parse(
            await api.call('POST', `/admin/v1/queues/${name}/retry`, { body }),
          );
          output.result({ retried }, () =>
            output.line(retried === 0 ? 'There is nothing to try again.' : `${retried} are tried again.`),
          );
          if (retried > 0 && !api.outlivesCommand) {
            output.note('No server runs here: they are tried when one does (npm start).');
          }
        },
      }),
    );
}
