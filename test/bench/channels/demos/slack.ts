import { startSlackPlatform } from '../../chaos/platforms/slack-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';
import { readLines } from '../read-lines.ts';

export const slackDemo: ChannelDemo = {
  channel: 'slack',
  start: () => startSlackPlatform({ place: 'direct' }),
  read: (sent) => readLines(sent, /^<[^|]*\|(.*)>$/),
};
