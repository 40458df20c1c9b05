import { startTwilioPlatform } from '../../chaos/platforms/twilio-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';
import { readLines } from '../read-lines.ts';

export const whatsappDemo: ChannelDemo = {
  channel: 'whatsapp',
  start: () => startTwilioPlatform('whatsapp'),
  read: (sent) => readLines(sent, /^(.*) \(https?:.*\)$/),
};
