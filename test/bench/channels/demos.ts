import type { ChannelDemo } from './channel-demo.ts';
import { discordDemo } from './discord.ts';
import { emailDemo } from './email.ts';
import { hostedDemo } from './hosted.ts';
import { intercomDemo } from './intercom.ts';
import { slackDemo } from './slack.ts';
import { smsDemo } from './sms.ts';
import { telegramDemo } from './telegram.ts';
import { voiceDemo } from './voice.ts';
import { whatsappDemo } from './whatsapp.ts';
import { widgetDemo } from './widget.ts';

/** One for each registered channel, in the registry's order; one that has none is shown as missing. */
export const demos: readonly ChannelDemo[] = [
  slackDemo,
  discordDemo,
  telegramDemo,
  whatsappDemo,
  smsDemo,
  voiceDemo,
  emailDemo,
  intercomDemo,
  widgetDemo,
  hostedDemo,
];
