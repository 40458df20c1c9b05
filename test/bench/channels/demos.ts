import type { ChannelDemo } from './channel-demo.ts';
import { discordDemo } from './demos/discord.ts';
import { emailDemo } from './demos/email.ts';
import { hostedDemo } from './demos/hosted.ts';
import { intercomDemo } from './demos/intercom.ts';
import { slackDemo } from './demos/slack.ts';
import { smsDemo } from './demos/sms.ts';
import { telegramDemo } from './demos/telegram.ts';
import { voiceDemo } from './demos/voice.ts';
import { whatsappDemo } from './demos/whatsapp.ts';
import { widgetDemo } from './demos/widget.ts';

/** The demos, one for each registered channel, in the registry's order; a channel without one is shown as missing. */
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
