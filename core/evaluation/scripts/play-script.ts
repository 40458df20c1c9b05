import type { Rehearsal, RehearsalDependencies, RehearsedConversation } from '../../answering/rehearsal.ts';
import { truncateText } from '../../base/text.ts';
import type { EarlierTurn } from '../../contract/answer.ts';
import { humanSkill } from '../../contract/skill.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';
import { failedAnswer, type Given, type Verdict } from '../judge.ts';
import { rehearseInTime } from '../rehearse-in-time.ts';
import { judgeTurn, type PlayedTurn, type ScriptTurn } from './judge-turn.ts';

/** A scripted customer. */
export interface Script {
  readonly turns: readonly ScriptTurn[];
  /** The kind of the channel, or `api`. */
  readonly channel: string;
  /** ISO 639-1; null if the messages tell it. */
  readonly language: string | null;
  readonly audience: readonly string[];
}

interface Playing {
  readonly workspace: Workspace;
  readonly script: Script;
  /** It is called before each turn, such as to keep a lease. */
  readonly onTurn: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** A turn as it was played, with the answer; null if none was made. */
export interface ScriptReply extends PlayedTurn {
  readonly rehearsal: Rehearsal | null;
}

const MAX_REPLY = 2_000;

interface Memory extends RehearsedConversation {
  readonly earlierTurns: readonly EarlierTurn[];
  /** The number of the turn that called a person; null if none has. */
  readonly handedOverIn: number | null;
}

/**
 * Plays a script: says the messages one after the other, each with those before it as memory, and judges the replies. Nothing
 * is stored, counted, sent or fired. After a hand-over a person has the conversation: nobody replies. All turns are played,
 * also after one that failed.
 */
export async function playScript(
  dependencies: RehearsalDependencies,
  { workspace, script, onTurn, signal }: Playing,
): Promise<readonly ScriptReply[]> {
  const played: ScriptReply[] = [];
  let memory: Memory = { earlierTurns: [], fallbacks: 0, awaited: null, handedOverIn: null };
  for (const turn of script.turns) {
    if (memory.handedOverIn !== null) {
      played.push(leaveToPerson(turn, memory.handedOverIn));
      continue;
    }
    await onTurn();
    const asked = { workspace, script, turn, memory };
    const rehearsal = await ask(dependencies, asked, signal);
    if (signal.aborted) return played;
    played.push({ ...judgeReply(turn, rehearsal), rehearsal });
    memory = remember(memory, { turn, rehearsal, number: played.length });
  }
  return played;
}

interface Asked extends Pick<Playing, 'workspace' | 'script'> {
  readonly turn: ScriptTurn;
  readonly memory: Memory;
}

/** Returns null if the answer failed or took too long. */
async function ask(
  dependencies: RehearsalDependencies,
  { workspace, script, turn, memory }: Asked,
  signal: AbortSignal,
): Promise<Rehearsal | null> {
  return rehearseInTime(dependencies, {
    ...{ workspace, text: turn.message, earlierTurns: memory.earlierTurns, summary: null },
    audience: script.audience,
    channel: script.channel,
    conversationId: null,
    language: script.language,
    model: null,
    strictness: workspace.settings.strictness ?? 'strict',
    conversation: memory,
    signal,
  });
}

function judgeReply(turn: ScriptTurn, rehearsal: Rehearsal | null): PlayedTurn {
  if (rehearsal === null) return toPlayed(turn, failedAnswer, null);
  const { answer } = rehearsal;
  const isAnswer = answer.isQuoted || answer.isGenerated;
  const given = {
    ...{ text: answer.text, used: usedPassages(rehearsal) },
    tier: isAnswer ? answer.tier : ('none' as const),
    isHandedOver: answer.skillsFired.includes(humanSkill),
  };
  return toPlayed(turn, judgeTurn(turn, given), rehearsal);
}

function toPlayed(turn: ScriptTurn, verdict: Verdict, rehearsal: Rehearsal | null): PlayedTurn {
  return {
    message: turn.message,
    reply: truncateText(rehearsal?.answer.text ?? '', MAX_REPLY),
    ...verdict,
    tier: rehearsal?.answer.tier ?? null,
    source_title: rehearsal?.answer.sources[0]?.title ?? null,
  };
}

/** A message to which nobody replies: right where no answer, or a person, is expected. */
function leaveToPerson(turn: ScriptTurn, handedOverIn: number): ScriptReply {
  const verdict = judgeTurn(turn, { tier: 'none', text: '', used: [], isHandedOver: true });
  const because = `A person has the conversation since turn ${handedOverIn}.`;
  return { ...toPlayed(turn, { ...verdict, because }, null), rehearsal: null };
}

/** Remembers as a conversation does: fallbacks are no answers, and count until an answer helps. */
function remember(
  memory: Memory,
  { turn, rehearsal, number }: { turn: ScriptTurn; rehearsal: Rehearsal | null; number: number },
): Memory {
  const answer = rehearsal?.answer;
  const isLow = answer === undefined || answer.confidence === 'low';
  const isAnswer = answer !== undefined && (!isLow || answer.tier === 'maybe');
  return {
    earlierTurns: [...memory.earlierTurns, { question: turn.message, answer: isAnswer ? answer.text : null }],
    fallbacks: isLow ? memory.fallbacks + 1 : 0,
    awaited: rehearsal?.awaited ?? null,
    handedOverIn: answer?.skillsFired.includes(humanSkill) === true ? number : null,
  };
}

/** The passages that the citations of an answer name; its first source if it has none. */
export function usedPassages({ answer, passages }: Rehearsal): Given['used'] {
  const cited = new Set(answer.citations.flatMap(({ chunkIds }) => chunkIds));
  const [first] = answer.sources;
  if (cited.size === 0 && first !== undefined) cited.add(first.chunkId);
  return answer.sources
    .filter(({ chunkId }) => cited.has(chunkId))
    .map(({ documentId, chunkId }) => ({
      documentId,
      section: passages.find((passage) => passage.chunkId === chunkId)?.headings.at(-1) ?? null,
    }));
}
