import type { AskOptions, AskRequest, AskResult } from '../answering/ask.ts';
import { readyTurn } from '../answering/ready-turn.ts';
import type { Companion, StoredTurn } from '../conversations/turn.ts';
import type { Runtime } from '../runtime.ts';

interface Ready {
  readonly request: AskRequest;
  readonly text: string;
  readonly beside: ((stored: StoredTurn) => Companion) | undefined;
}

/** Says what needs no engine, as `ask` says what does. */
export async function sayReadyWords(
  { conversations }: Pick<Runtime, 'conversations'>,
  { request, text, beside }: Ready,
  listener: AskOptions['listener'],
): Promise<AskResult> {
  await listener?.stage('writing');
  await listener?.token(text);
  const turn = readyTurn(request, text);
  const { answer, latencyMs, ended } = turn;
  return { ...(await conversations.storeTurn(turn, beside)), answer, latencyMs, ended };
}
