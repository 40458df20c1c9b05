import type { AskOptions, AskRequest, AskResult } from '../answering/ask.ts';
import { readyAnswer } from '../answering/ready-answer.ts';
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
  const said = { answer: readyAnswer(text), latencyMs: 0, ended: null };
  const stored = await conversations.storeTurn(
    {
      ...request,
      ...said,
      workspaceId: request.workspace.id,
      customer: request.customer ?? null,
      userId: request.visitor?.userId ?? null,
      effects: [],
      awaited: undefined,
    },
    beside,
  );
  return { ...stored, ...said };
}
