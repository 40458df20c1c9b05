import { connectors } from '../../../../connectors/registry.ts';
import { demoQuestions } from '../../../../core/demo/open-demo.ts';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { type AskedOnce, askOnce } from '../../channels/ask-once.ts';
import type { ChannelDemo } from '../../channels/channel-demo.ts';
import { type DemoHub, startDemoHub } from '../../channels/demo-hub.ts';
import { demos } from '../../channels/demos.ts';
import { milliseconds } from '../../format.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';

const visitors = 10;
const shownCharacters = 60;
const header = ['channel', 'acknowledged', 'typing', 'answer', 'slowest', 'sources', 'answer begins'];

/** Asks the same question on every registered channel of a hub that was just started, one visitor after the other. */
export async function channelsPart(run: BenchRun): Promise<void> {
  const [question = ''] = demoQuestions;
  run.progress('channels: the hub starts and reads the demo');
  const hub = await attempt(run, () => startDemoHub(run.folder));
  if (hub === null) return;
  const rows: string[][] = [];
  try {
    for (const { manifest } of connectors) {
      const demo = demos.find(({ channel }) => channel === manifest.channel);
      rows.push(
        demo === undefined ? missing(run, manifest.channel) : await rowOf(run, hub, { demo, question }),
      );
    }
  } finally {
    hub.end();
  }
  const title = `"${question}" on every channel, medians of ${visitors} visitors one after the other`;
  run.print(table(title, header, rows));
}

function missing(run: BenchRun, channel: string): string[] {
  run.fail(`channels: nothing stands in for the platform of ${channel}`);
  return [channel, 'missing'];
}

interface Asking {
  readonly demo: ChannelDemo;
  readonly question: string;
}

async function rowOf(run: BenchRun, hub: DemoHub, { demo, question }: Asking): Promise<string[]> {
  run.progress(`channels: ${demo.channel}`);
  const asked = await attempt(run, () => askAll(run, hub, { demo, question }));
  if (asked === null) return [demo.channel, 'failed'];
  if (asked.length === 0) return [demo.channel, `not tried here: it needs ${demo.needs}`];
  const median = (times: readonly number[]) => milliseconds(quantile(times, 0.5));
  const answers = asked.map(({ answeredMs }) => answeredMs);
  const typing = asked.map(({ typingMs }) => typingMs).filter((time) => !Number.isNaN(time));
  const { text, sources } = await demo.read(asked.at(-1)?.answer ?? '');
  return [
    demo.channel,
    demo.isListenedTo ? '-' : median(asked.map(({ acknowledgedMs }) => acknowledgedMs)),
    median(typing),
    median(answers),
    milliseconds(Math.max(...answers)),
    sources.join(', '),
    text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text,
  ];
}

/**
 * The first visitor of a channel is not counted, because later ones use what was read and opened for that one.
 * Returns nothing if the machine lacks what the channel needs.
 */
async function askAll(
  run: BenchRun,
  hub: DemoHub,
  { demo, question }: Asking,
): Promise<readonly AskedOnce[]> {
  const platform = await demo.start(run.folder);
  if (platform === null) return [];
  try {
    await hub.connect(platform);
    const asked: AskedOnce[] = [];
    for (let chat = 0; chat <= visitors; chat += 1) {
      asked.push(await askOnce(platform, { chat: chat + 1, question }));
    }
    return asked.slice(1);
  } finally {
    await platform.close();
  }
}
