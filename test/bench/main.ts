import { join, resolve } from 'node:path';
import { disableTelemetry } from '../../core/runtime/compile-cache.ts';
import { attempt } from './attempt.ts';
import type { BenchRun } from './bench-run.ts';
import { chooseEngines } from './choose-engines.ts';
import { Indexes } from './indexes.ts';
import { watchMachine } from './machine.ts';
import { balancerPart } from './parts/balancer-part.ts';
import { channelsPart } from './parts/channels/channels-part.ts';
import { discordPart } from './parts/channels/discord-part.ts';
import { emailPart } from './parts/channels/email-part.ts';
import { slackPart } from './parts/channels/slack-part.ts';
import { twilioPart } from './parts/channels/twilio-part.ts';
import { voicePart } from './parts/channels/voice-part.ts';
import { webhooksPart } from './parts/channels/webhooks-part.ts';
import { widgetPart } from './parts/channels/widget-part.ts';
import { chaosPart } from './parts/chaos-part.ts';
import { httpPart } from './parts/http-part.ts';
import { inboxKeysPart } from './parts/inbox/inbox-keys-part.ts';
import { inboxPart } from './parts/inbox/inbox-part.ts';
import { listsPart } from './parts/inbox/lists-part.ts';
import { livePart } from './parts/inbox/live-part.ts';
import { ingestPart } from './parts/ingest-part.ts';
import { modelPart } from './parts/model-part.ts';
import { neighboursPart } from './parts/neighbours-part.ts';
import { providersPart } from './parts/providers-part.ts';
import { queryPart } from './parts/query-part.ts';
import { searchPart } from './parts/search-part.ts';
import { sourcesPart } from './parts/sources-part.ts';
import { startPart } from './parts/start-part.ts';
import { turnsPart } from './parts/turns-part.ts';
import { type BenchOptions, partNames, readOptions } from './read-options.ts';
import { embedStep } from './steps/embed-step.ts';
import { runStep } from './steps/run-step.ts';
import { temporaryFolder } from './temporary-folder.ts';

const usage = `Usage: npm run bench [-- PART…] [--sizes 1000,10000,50000] [--engine onnx|wasm|auto] [--load FOLDER] [--rate 200] [--away 30]

PART is ${partNames.join(', ')}; all of them when none is named. Without
--engine every embedding engine that loads on this machine is measured. Chunks are made from the demo help centre; nothing is fetched or
left behind.
FOLDER holds the load scripts that http, webhooks and turns are measured with (load.mjs, webhook-load.mjs, fake-openai.mjs, peers).
The rate is that of events of Slack a second. For so many seconds workers and Redis are away behind the load balancer (balancer).
`;

const parts = {
  start: startPart,
  search: searchPart,
  query: queryPart,
  ingest: ingestPart,
  http: httpPart,
  providers: providersPart,
  model: modelPart,
  channels: channelsPart,
  widget: widgetPart,
  chaos: chaosPart,
  balancer: balancerPart,
  voice: voicePart,
  webhooks: webhooksPart,
  turns: turnsPart,
  neighbours: neighboursPart,
  lists: listsPart,
  live: livePart,
  inbox: inboxPart,
  'inbox-keys': inboxKeysPart,
  slack: slackPart,
  discord: discordPart,
  twilio: twilioPart,
  email: emailPart,
  sources: sourcesPart,
};
const withSamples = new Set(['search', 'query', 'ingest']);
const minutesToEmbed = 5;

async function main(args: readonly string[]): Promise<number> {
  // Each program that runs beside this one ends with it.
  process.setMaxListeners(0);
  disableTelemetry(process.env);
  const options = readOptions(args);
  if (options === null) {
    process.stderr.write(usage);
    return 2;
  }
  const describeMachine = watchMachine();
  const failures: string[] = [];
  const run = openRun(options, failures);
  const ready = !options.parts.some((part) => withSamples.has(part)) || (await embedSamples(run));
  for (const part of ready ? options.parts : []) await parts[part](run);
  run.print(`${describeMachine()} (a busy machine spoils the figures)`);
  return failures.length === 0 ? 0 : 1;
}

async function embedSamples(run: BenchRun): Promise<boolean> {
  run.progress('embedding questions and samples');
  const samples = await attempt(run, () =>
    runStep(embedStep, { samplesFile: run.samplesFile }, minutesToEmbed),
  );
  return samples !== null;
}

function openRun({ sizes, engine, load, rate, away }: BenchOptions, failures: string[]): BenchRun {
  const folder = temporaryFolder();
  const samplesFile = join(folder, 'samples.json');
  const progress = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  };
  const print = (text: string) => {
    progress('');
    process.stdout.write(`${text}\n`);
  };
  return {
    folder,
    samplesFile,
    sizes,
    eventsPerSecond: rate,
    awaySeconds: away,
    loadScripts: load === undefined ? null : resolve(load),
    engines: chooseEngines(engine),
    indexes: new Indexes({ folder, samplesFile, progress }),
    progress,
    print,
    fail: (message) => {
      failures.push(message);
      print(message);
    },
  };
}

// The exit removes the temporary folder and ends the processes of steps.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exit(await main(process.argv.slice(2)));
