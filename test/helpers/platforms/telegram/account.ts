import type { TelegramAccount } from '../../../../connectors/telegram/manifest.ts';

/** The bot of the fixtures, as it is stored after Telegram was asked for its identity. */
export function telegramAccount(changes: Partial<TelegramAccount> = {}): TelegramAccount {
  return {
    id: 'chan_telegram',
    credentials: { bot_token: '7000001:the-secret-key-of-the-bot' },
    settings: { enabled: true },
    secret: 'the_secret_that_we_made',
    webhookUrl: 'https://parley.example/webhooks/chan_telegram',
    profile: { id: 7000001, username: 'parley_test_bot', name: 'Parley', can_read_all_group_messages: false },
    ...changes,
  };
}
