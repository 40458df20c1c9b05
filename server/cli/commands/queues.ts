import { Argument } from '@commander-js/extra-typings';
import { z } from 'zod';
import { type CommandLine, createCommand } from '../command.ts';
import { backlogResponse, describeBacklog } from '../describe-source.ts';
import { formatTime, type Output } from '../output.ts';

const queuesResponse = z.looseObject({
  indexing: z.array(backlogResponse.extend({ workspace_id: z.string() })),
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
    summary: 'show the backlog and failed jobs, and retry them',
    about: [
      'Shows the number of jobs in each queue, the documents that wait for the index and, for each channel, the messages without an answer, the parts that are not',
      'sent, and the age of the oldest ones. LOST and DEAD count messages and parts whose attempts are exhausted; they can be',
      'retried. FAILED counts parts that the platform rejected permanently, for example because the visitor blocked the bot.',
      'The status stale means that the platform has been silent for two minutes, or for silence_hours if it posts webhooks. The',
      "status limited means that the platform's rate limit is reached; unsent parts are sent when it ends.",
    ].join(' '),
    examples: [
      ['queues', 'show the backlog and the state of the channels'],
      ['queues --json', 'the same as JSON'],
      ['queues retry deliver', 'send failed parts again'],
    ],
    failure: 'the command failed; a backlog is not a failure',
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

function printOverview({ queues: all, channels, indexing }: Overview, output: Output): void {
  if (all === null)
    output.note(
      'The queue is unavailable. Check Redis (REDIS_URL). Messages that arrive meanwhile are stored.',
    );
  else printQueues(all, output);
  for (const { workspace_id: workspace, ...backlog } of indexing) {
    output.line(`${workspace}: ${describeBacklog(backlog, new Date())}.`);
  }
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
      output.note(`${id}: rate limited by the platform until ${held_until.slice(11, 19)} UTC`);
  }
  for (const [name, failed] of [
    ['answer', channels.reduce((sum, { unanswerable }) => sum + unanswerable, 0)],
    ['deliver', channels.reduce((sum, { dead }) => sum + dead, 0)],
  ] as const) {
    if (failed > 0) output.note(`${failed} failed. Retry with: npm run parley -- queues retry ${name}`);
  }
}

function shownStatus({ enabled, status, held_until }: Overview['channels'][number]): string {
  if (!enabled) return 'off';
  return held_until === null ? status : 'limited';
}

const retryResponse = z.looseObject({ retried: z.number() });

function queuesRetry(commandLine: CommandLine) {
  return createCommand('retry', {
    summary: 'retry failed jobs',
    about: [
      'Retries the failed jobs of a queue immediately: for answer, messages that could not be answered; for deliver,',
      'parts that could not be sent. Fix the cause first, such as a revoked token. Parts that the',
      'platform rejected permanently are not retried.',
    ].join(' '),
    examples: [
      ['queues retry deliver', 'send failed parts again'],
      ['queues retry answer --channel chan_01k9', 'answer the failed messages of one channel'],
    ],
    failure: 'the command failed, for example because the channel does not exist',
  })
    .addArgument(new Argument('<queue>', 'the queue to retry').choices(['answer', 'deliver'] as const))
    .option('--channel <id>', 'limit the retry to this channel')
    .action((name, { channel, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const body = { channel_id: channel };
          const { retried } = retryResponse.parse(
            await api.call('POST', `/admin/v1/queues/${name}/retry`, { body }),
          );
          output.result({ retried }, () =>
            output.line(retried === 0 ? 'There are no failed jobs to retry.' : `Retrying ${retried}.`),
          );
          if (retried > 0 && !api.outlivesCommand) {
            output.note('No server is running. The jobs will run when one starts (npm start).');
          }
        },
      }),
    );
}
