import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { addressOf } from './address.ts';
import { demandSlack } from './demand-slack.ts';
import type { SlackAccount } from './manifest.ts';

/** Suggests questions. In direct messages of the older kind they belong to a thread, in the newer one to none. */
export async function welcome(to: ConversationRef, account: SlackAccount, tools: Tools): Promise<void> {
  const { channel, thread, team } = addressOf(to);
  const { prompts } = account.settings;
  if (prompts.length === 0) return;
  await demandSlack(
    {
      method: 'assistant.threads.setSuggestedPrompts',
      team,
      run: (client) =>
        client.assistant.threads.setSuggestedPrompts({
          channel_id: channel,
          ...(thread !== null && { thread_ts: thread }),
          prompts,
        }),
    },
    account,
    tools,
  );
}
