import { startDiscordPlatform } from '../../chaos/platforms/discord-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';
import { readLines } from '../read-lines.ts';

export const discordDemo: ChannelDemo = {
  channel: 'discord',
  isListenedTo: true,
  start: () => startDiscordPlatform(),
  read: (sent) => readLines(sent, /^\[(.*)\]\(.*\)$/),
};
