import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { chatRecord, messageText } from '../../chaos/chat-record.ts';
import { storedConversations } from '../../chaos/installation-client.ts';
import { judge } from '../../chaos/judge.ts';
import { type DiscordPlatform, startDiscordPlatform } from '../../chaos/platforms/discord-platform.ts';
import { type Fault, faults } from '../../discord/faults.ts';
import { type Installation, installFor } from '../../discord/installation.ts';
import { table } from '../../table.ts';

const heartbeatMs = 2_000;
const rounds = 5;
const commandsAsked = 20;
const chats = 20;
const messagesPerChat = 25;
const lookMs = 10;
const longestMs = 60_000;
const longestSilenceMs = 180_000;
const longestChaosMs = 120_000;
const quietMs = 5_000;

/** Tests Discord's gateway with faults, and with processes that are killed. */
export async function discordPart(run: BenchRun): Promise<void> {
  await attempt(run, () => withInstallation(run, 'faults', measureFaults));
  await attempt(run, () => withInstallation(run, 'kills', measureKills));
}

type Measure = (run: BenchRun, platform: DiscordPlatform, installation: Installation) => Promise<void>;

async function withInstallation(run: BenchRun, name: string, measure: Measure): Promise<void> {
  const platform = await startDiscordPlatform({ heartbeatMs });
  const installation = await installFor(platform, join(run.folder, `discord-${name}`));
  try {
    await platform.discord.gateway.until('heartbeat', 1);
    await measure(run, platform, installation);
  } finally {
    installation.pool.end();
    platform.close();
  }
}

const measureFaults: Measure = async (run, platform, installation) => {
  const rows: string[][] = [];
  for (const fault of faults) {
    run.progress(`discord: ${fault.name}`);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      times.push(await answeredAfter(platform, fault));
      await wait(heartbeatMs * Math.random());
    }
    const { missed, twice } = await tally(platform);
    rows.push([fault.name, ...shown(times), `${missed}`, `${twice}`]);
  }
  run.print(
    table(
      `Until a question is answered that was asked as the connection ended (heartbeats every ${heartbeatMs / 1_000} s; ${rounds} times each)`,
      ['what happens', 'median s', 'longest s', 'missed', 'answered twice'],
      rows,
    ),
  );
  run.print(await measureCommands(platform));
  run.progress('discord: a gateway that is silent');
  run.print(await measureSilence(platform, installation));
};

let asked = 0;

/** A thread of its own for each question, so that each is answered by itself. */
async function answeredAfter({ discord }: DiscordPlatform, fault: Fault): Promise<number> {
  const { world, general } = discord;
  const person = world.newPerson(`Visitor${asked}`);
  asked += 1;
  const startedAt = performance.now();
  fault.happen(discord);
  const { id } = discord.say(general, person, `<@${world.bot.id}> question ${asked}`);
  await until(() => discord.answers(id).length > 0, longestMs);
  return (performance.now() - startedAt) / 1_000;
}

async function tally({ discord }: DiscordPlatform): Promise<{ missed: number; twice: number }> {
  await wait(quietMs / 2);
  const questions = (discord.world.messages.get(discord.general.id) ?? []).filter(
    ({ author }) => author.bot !== true,
  );
  const counts = questions.map(({ id }) => discord.answers(id).length);
  return {
    missed: counts.filter((count) => count === 0).length,
    twice: counts.filter((count) => count > 1).length,
  };
}

async function measureCommands({ discord }: DiscordPlatform): Promise<string> {
  const times: number[] = [];
  for (let index = 0; index < commandsAsked; index += 1) {
    const person = discord.world.newPerson(`Asker${index}`);
    const startedAt = performance.now();
    const { state } = await discord.command(discord.general, person, 'ask', 'a question');
    await until(() => state() !== 'new', longestMs);
    times.push((performance.now() - startedAt) / 1_000);
    await until(() => state() === 'answered', longestMs);
  }
  const [median = '', longest = ''] = shown(times);
  return `/ask is shown as heard after ${median} s (median of ${commandsAsked}), ${longest} s at most.`;
}

/** From the last frame on, connections are accepted but stay silent. */
async function measureSilence({ discord }: DiscordPlatform, installation: Installation): Promise<string> {
  const startedAt = performance.now();
  discord.gateway.isDead = true;
  discord.gateway.withheldHellos = Number.POSITIVE_INFINITY;
  let status = '';
  while (status !== 'stale' && performance.now() - startedAt < longestSilenceMs) {
    await wait(1_000);
    status = await installation.status();
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  return `A gateway that takes connections and says nothing: health says \`${status}\` after ${seconds} s.`;
}

const measureKills: Measure = async (run, platform, installation) => {
  run.progress('discord: kills');
  const startedAt = performance.now();
  const talking = Promise.all(Array.from({ length: chats }, (_, index) => talk(platform, index + 1)));
  let isOver = false;
  const killing = (async () => {
    for (let kills = 1; !isOver; kills += 1) {
      await wait(1_000 + Math.random() * 3_000);
      if (kills % 3 === 0) platform.discord.gateway.forget();
      if (!isOver) await installation.pool.killOne(0);
    }
  })();
  const acknowledged = await talking;
  isOver = true;
  await killing;
  const look = async () => {
    const stored = await storedConversations(installation.address, installation.workspace);
    return judge(
      acknowledged.map((texts, index) => {
        const chat = index + 1;
        const answers = platform.sent.get(chat)?.length ?? 0;
        return chatRecord(stored, { chat, acknowledged: texts, answers });
      }),
    );
  };
  await until(async () => {
    const { unanswered, neverAnswered } = await look();
    return unanswered === 0 && neverAnswered === 0;
  }, longestChaosMs);
  await wait(quietMs);
  const verdict = await look();
  const { unanswered, doubled, outOfOrder, answeredTwice, neverAnswered, splitChats } = verdict;
  const counts = [verdict.acknowledged, verdict.turns, installation.pool.kills, unanswered, doubled];
  const others = [outOfOrder, answeredTwice, platform.lostAnswers(), neverAnswered, splitChats];
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  run.print(
    table(
      `Messages of ${chats} direct conversations over the gateway, while the process is killed with -9 every few seconds and every third time its session is forgotten`,
      ['', 'messages', 'turns', 'kills', 'lost', 'twice stored', 'out of order'].concat([
        'answered twice',
        'answers lost with a process',
        'never answered',
        'chats split',
        'seconds',
      ]),
      [['embedded, one process', ...[...counts, ...others].map(String), seconds]],
    ),
  );
};

async function talk(platform: DiscordPlatform, chat: number): Promise<readonly string[]> {
  const said: string[] = [];
  for (let index = 1; index <= messagesPerChat; index += 1) {
    const text = messageText(chat, index);
    await platform.tell({ chat, text });
    said.push(text);
    await wait(Math.random() * 4_000);
  }
  return said;
}

async function until(check: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const startedAt = performance.now();
  while (!(await check()) && performance.now() - startedAt < withinMs) await wait(lookMs);
}

function shown(times: readonly number[]): readonly string[] {
  const sorted = times.toSorted((one, other) => one - other);
  return [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0].map((time) => time.toFixed(2));
}
