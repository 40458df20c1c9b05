import type { ConversationRef } from '../contract/account.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** Shows a visitor what he may ask, where the platform has a place for it. What fails of it nobody misses. */
export function welcome(
  { connectorCalls: calls, log }: Pick<PipelineDependencies, 'connectorCalls' | 'log'>,
  { account, connector }: OpenAccount,
  to: ConversationRef,
): void {
  const greet = connector.facets.welcome;
  if (greet === undefined) return;
  calls
    .call(account, (tools) => greet(to, account, tools))
    .catch((err: unknown) => log.warn({ err, channel: account.id }, 'a visitor could not be welcomed'));
}
