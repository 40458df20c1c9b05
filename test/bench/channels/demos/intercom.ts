import { startIntercomPlatform } from '../../chaos/platforms/intercom-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';
import { readHtmlAnswer } from '../read-html-answer.ts';

export const intercomDemo: ChannelDemo = {
  channel: 'intercom',
  start: startIntercomPlatform,
  read: readHtmlAnswer,
};
