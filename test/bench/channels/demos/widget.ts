import { startWidgetPlatform } from '../../chaos/platforms/widget-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';
import { readLines } from '../read-lines.ts';

export const widgetDemo: ChannelDemo = {
  channel: 'widget',
  isListenedTo: true,
  start: startWidgetPlatform,
  read: (sent) => readLines(sent),
};
