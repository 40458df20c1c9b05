import type { ConversationRef } from '../contract/account.ts';
import { accountBudgets } from './account-budgets.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

type Dependencies = Pick<PipelineDependencies, 'connectorCalls' | 'log' | 'sendingLines'>;

/** Beside an answer that is there sooner it might come second, and platforms show it for seconds. */
const afterMs = 300;

/**
 * Shows that an answer is coming until the returned function is called. What fails of it nobody misses, and answers that
 * wait for the platform's limits come first.
 */
export function showTyping(
  { connectorCalls: calls, log, sendingLines }: Dependencies,
  open: OpenAccount,
  to: ConversationRef,
): () => void {
  const { account, connector } = open;
  const { typing } = connector.facets;
  if (typing === undefined) return () => {};
  let isOver = false;
  const show = () => {
    if (sendingLines.behindOthers(accountBudgets(open, to), null) !== null) return;
    calls
      .call(account, (tools) => typing.show(to, account, tools))
      .catch((err: unknown) => {
        if (!isOver) log.warn({ err, channel: account.id }, 'typing could not be shown');
      });
  };
  const begin = () => {
    show();
    return setInterval(show, typing.lastsMs);
  };
  let timer =
    typing.marksRead === true
      ? begin()
      : setTimeout(() => {
          timer = begin();
        }, afterMs);
  return () => {
    clearTimeout(timer);
    isOver = true;
  };
}
