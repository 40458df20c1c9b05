import { manifest, type SlackAccount } from '../../../../connectors/slack/manifest.ts';

/** The app of the fixtures, as it is stored after Slack was asked for its identity. */
export function slackAccount(changes: Partial<SlackAccount> = {}): SlackAccount {
  return {
    id: 'chan_slack',
    credentials: { bot_token: 'xoxb-the-token-of-the-bot', signing_secret: 'the-signing-secret-of-the-app' },
    settings: slackSettings(),
    secret: 'the_secret_that_we_made',
    webhookUrl: 'https://parley.example/webhooks/chan_slack',
    profile: {
      team_id: 'T0GARDEN1',
      team: 'Garden',
      enterprise_id: null,
      is_enterprise_install: false,
      user_id: 'U0PARLEY1',
      name: 'parley',
      bot_id: 'B0PARLEY1',
    },
    ...changes,
  };
}

export function slackSettings(changes: Record<string, unknown> = {}): SlackAccount['settings'] {
  return manifest.settings.parse(changes);
}
