import { startTelegramPlatform } from '../../chaos/platforms/telegram-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';
import { readHtmlAnswer } from '../read-html-answer.ts';

export const telegramDemo: ChannelDemo = {
  channel: 'telegram',
  start: () => startTelegramPlatform(),
  read: readHtmlAnswer,
};
