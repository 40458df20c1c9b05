import PostalMime from 'postal-mime';
import { startEmailPlatform } from '../../chaos/platforms/email-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';
import { readLines } from '../read-lines.ts';

export const emailDemo: ChannelDemo = {
  channel: 'email',
  isListenedTo: true,
  needs: 'Dovecot, started as root',
  start: startEmailPlatform,
  async read(sent) {
    const { text = '' } = await PostalMime.parse(sent);
    return readLines(text, /^(.*) \(https?:.*\)$/);
  },
};
