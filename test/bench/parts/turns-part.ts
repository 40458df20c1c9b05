import { freePort } from '../../helpers/servers/network/free-port.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { quantile } from '../quantile.ts';
import { table } from '../table.ts';
import { type ListedTarget, queues } from '../webhooks/list-targets.ts';
import { type Level, postUpdates } from '../webhooks/post-updates.ts';
import type { WebhookTarget } from '../webhooks/webhook-target.ts';
import { withTargets } from '../webhooks/with-targets.ts';

const rounds = 6;
const atATime = 10;
/** The loads, of which the first warms up what has just been started. */
const outstanding = [atATime, atATime];
const headings = [
  'server',
  'a second',
  'of the SDK',
  'of one job',
  'reply p50',
  'taken p99',
  'CPU µs',
  'lost',
];

const explanation = `, ${atATime} outstanding: medians of ${rounds} rounds, of ratios also the lowest and the highest`;

interface Runner extends Pick<ListedTarget, 'kind' | 'start'> {
  target: WebhookTarget;
  readonly apiPort: number;
  /** One of each round. */
  readonly levels: Level[];
}

/**
 * Measures from a platform's webhook to the reply at ten outstanding, all of a queue by turns: the speed of a shared
 * machine changes from minute to minute, and a ratio to a run seconds before and after does not. It needs `--load`.
 */
export async function turnsPart(run: BenchRun): Promise<void> {
  await withTargets(run, 'turns', async ({ scripts, targets, servers }) => {
    for (const queue of queues) {
      const group = targets.filter(
        ({ kind, queue: own }) => kind === 'framework' || (own === queue && kind !== 'storage'),
      );
      if (!group.some(({ kind }) => kind === 'product')) continue;
      const runners: Runner[] = [];
      await attempt(run, async () => {
        for (const target of group) runners.push(await startRunner(target));
        for (let round = 1; round <= rounds; round += 1) {
          for (const runner of runners) {
            run.progress(`turns: ${queue}, ${round} of ${rounds}, ${runner.target.name}`);
            if (round > 1) runner.target = await renew(runner);
            const load = { scripts, servers, outstanding, newChats: true, tries: 1 };
            const levels = await postUpdates(runner.target, { ...load, apiPort: runner.apiPort });
            runner.levels.push(...levels.slice(-1));
          }
        }
        const rows = runners.map((runner) => rowOf(runner, runners));
        run.print(table(`${queue}, by turns${explanation}`, headings, rows));
      });
      for (const { target } of runners) await target.stop();
    }
  });
}

async function startRunner({ kind, start }: ListedTarget): Promise<Runner> {
  const apiPort = await freePort();
  return { kind, start, target: await start(apiPort), apiPort, levels: [] };
}

/** Each round's load posts the same chats. */
async function renew({ target, start, apiPort }: Runner): Promise<WebhookTarget> {
  if (target.renew !== undefined) return target.renew();
  await target.stop();
  return start(apiPort);
}

function rowOf({ target, levels }: Runner, runners: readonly Runner[]): string[] {
  const median = (pick: (level: Level) => number | null) =>
    quantile(
      levels.map((level) => pick(level) ?? Number.NaN),
      0.5,
    );
  const lost = levels.reduce((sum, level) => sum + level.lost, 0);
  return [
    target.name,
    median((level) => level.evps).toFixed(0),
    ratioTo('framework', levels, runners),
    ratioTo('job', levels, runners),
    median((level) => level.reply.p50).toFixed(1),
    median((level) => level.ack.p99).toFixed(1),
    median((level) => level.cpuUsPerEvent).toFixed(0),
    `${lost}`,
  ];
}

/** The rate of each round, divided by that of the other in the same round. */
function ratioTo(kind: ListedTarget['kind'], levels: readonly Level[], runners: readonly Runner[]): string {
  const others = runners.find((runner) => runner.kind === kind)?.levels ?? [];
  const ratios = levels.map((level, round) => level.evps / (others[round]?.evps ?? Number.NaN));
  const [least, middle, most] = [0, 0.5, 1].map((share) => quantile(ratios, share).toFixed(2));
  return `${middle} (${least}-${most})`;
}
