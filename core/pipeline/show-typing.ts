import type { ConversationRef } from '../contract/connector.ts';
import type { OpenAccount, ToolsFor } from './open-account.ts';

/** Shows that an answer is coming until the returned function is called. What fails of it nobody misses. */
export function showTyping(
  { account, connector }: OpenAccount,
  to: ConversationRef,
  toolsFor: ToolsFor,
): () => void {
  const { typing } = connector.facets;
  if (typing === undefined) return () => {};
  const over = new AbortController();
  const tools = toolsFor(over.signal);
  const show = () => {
    typing.show(to, account, tools).catch((err: unknown) => {
      if (!over.signal.aborted) tools.log.warn({ err, channel: account.id }, 'typing could not be shown');
    });
  };
  show();
  const again = setInterval(show, typing.lastsMs);
  return () => {
    clearInterval(again);
    over.abort();
  };
}
