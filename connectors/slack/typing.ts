import type { Facets } from '../../core/contract/facets.ts';
import { addressOf } from './address.ts';
import { callSlack } from './call-slack.ts';
import type { SlackAccount } from './manifest.ts';

type Typing = NonNullable<Facets<SlackAccount['credentials'], SlackAccount['settings']>['typing']>;

export const typing: Typing = {
  /** Slack forgets it after two minutes, or when something is sent. */
  lastsMs: 100_000,

  /** Not every place and plan has it: where it is refused, nothing is shown. */
  async show(to, account, tools) {
    const { channel, thread, team } = addressOf(to);
    const [status, ...others] = account.settings.statuses;
    if (thread === null || status === undefined) return;
    const place = { channel_id: channel, thread_ts: thread, status };
    await callSlack(
      {
        method: 'assistant.threads.setStatus',
        team,
        run: (client) =>
          client.assistant.threads.setStatus({
            ...place,
            ...(others.length > 0 && { loading_messages: [status, ...others] }),
          }),
      },
      account,
      tools,
    );
  },
};
