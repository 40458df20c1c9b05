import { Argument } from '@commander-js/extra-typings';
import { z } from 'zod';
import { type CommandLine, createCommand } from '../command.ts';
import { formatTime, type Output } from '../output.ts';

const queuesResponse = z.looseObject({
  queues: z
    .array(
      z.looseObject({
        name: z.string(),
        waiting: z.number(),
        delayed: z.number(),
        active: z.number(),
        failed: z.number(),
      }),
    )
    .nullable(),
  channels: z.array(
    z.looseObject({
      id: z.string(),
      channel: z.string(),
      name: z.string(),
      enabled: z.boolean(),
      status: z.string(),
      heard_at: z.string().nullable(),
      unanswered: z.number(),
      oldest_unanswered_at: z.string().nullable(),
      unanswerable: z.number(),
      unsent: z.number(),
      oldest_unsent_at: z.string().nullable(),
      dead: z.number(),
      failed: z.number(),
      held_until: z.string().nullable(),
    }),
  ),
});

type Overview = z.output<typeof queuesResponse>;

export function queues(commandLine: CommandLine) {
  return createCommand('queues', {
    summary: 'show what waits and what was given up, and try it again',
    about: [
      'Shows how many jobs are in each queue, and of every channel what visitors wait for: messages without an answer,',
      'parts of answers that are not sent, and since when the oldest waits. LOST and DEAD were given up and can be',
      'tried again; FAILED was refused by the platform for good, such as by a visitor who blocked the bot. A status of',
      'stale means that the platform was not heard of for two minutes, or for silence_hours where it posts, and limited',
      'that it takes nothing more for a while: what is unsent goes when that is over.',
    ].join(' '),
    examples: [
      ['queues', 'what waits, and how the channels are'],
      ['queues --json', 'the same for programs'],
      ['queues retry deliver', 'send again what could not be sent'],
    ],
    failure: 'refused or failed; that something waits is no failure',
  })
    .enablePositionalOptions()
    .action((options) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const overview = queuesResponse.parse(await api.call('GET', '/admin/v1/queues'));
          output.result(overview, () => printOverview(overview, output));
        },
      }),
    )
    .addCommand(queuesRetry(commandLine));
}

function printOverview({ queues: all, channels }: Overview, output: Output): void {
  if (all === null)
    output.note(
      'The queue does not respond. Check the Redis server (REDIS_URL). New messages wait until it is back.',
    );
  else printQueues(all, output);
  if (channels.length > 0) printChannels(channels, output);
}

function printQueues(all: NonNullable<Overview['queues']>, output: Output): void {
  output.table(
    [
      { heading: 'QUEUE', cell: ({ name }) => name },
      { heading: 'WAITING', cell: ({ waiting }) => waiting },
      { heading: 'DELAYED', cell: ({ delayed }) => delayed },
      { heading: 'ACTIVE', cell: ({ active }) => active },
      { heading: 'FAILED', cell: ({ failed }) => failed },
    ],
    all,
  );
}

function printChannels(channels: Overview['channels'], output: Output): void {
  output.line();
  output.table(
    [
      { heading: 'CHANNEL', cell: ({ id }) => id },
      { heading: 'KIND', cell: ({ channel }) => channel },
      { heading: 'NAME', cell: ({ name }) => name, flexible: true },
      { heading: 'STATUS', cell: shownStatus },
      { heading: 'HEARD', cell: ({ heard_at }) => formatTime(heard_at) || 'never' },
      { heading: 'UNANSWERED', cell: ({ unanswered }) => unanswered },
      { heading: 'SINCE', cell: ({ oldest_unanswered_at }) => formatTime(oldest_unanswered_at) },
      { heading: 'LOST', cell: ({ unanswerable }) => unanswerable },
      { heading: 'UNSENT', cell: ({ unsent }) => unsent },
      { heading: 'SINCE', cell: ({ oldest_unsent_at }) => formatTime(oldest_unsent_at) },
      { heading: 'DEAD', cell: ({ dead }) => dead },
      { heading: 'FAILED', cell: ({ failed }) => failed },
    ],
    channels,
  );
  for (const { id, held_until } of channels) {
    if (held_until !== null)
      output.note(`${id}: the platform takes nothing more until ${held_until.slice(11, 19)} UTC`);
  }
  for (const [name, given] of [
    ['answer', channels.reduce((sum, { unanswerable }) => sum + unanswerable, 0)],
    ['deliver', channels.reduce((sum, { dead }) => sum + dead, 0)],
  ] as const) {
    if (given > 0) output.note(`${given} given up: try again with npm run parley -- queues retry ${name}`);
  }
}

function shownStatus({ enabled, status, held_until }: Overview['channels'][number]): string {
  if (!enabled) return 'off';
  return held_until === null ? status : 'limited';
}

const retryResponse = z.looseObject({ retried: z.number() });

function queuesRetry(commandLine: CommandLine) {
  return createCommand('retry', {
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
      commandLine.execute(options, {
        async run({ api, output }) {
          const body = { channel_id: channel };
          const { retried } = retryResponse.parse(
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
