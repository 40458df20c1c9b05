import type { ChannelDemo } from './channel-demo.ts';
import { intercomDemo } from './intercom.ts';
import { slackDemo } from './slack.ts';
import { telegramDemo } from './telegram.ts';

/** One for each registered channel; one that has none is shown as missing. */
export const demos: readonly ChannelDemo[] = [slackDemo, telegramDemo, intercomDemo];
