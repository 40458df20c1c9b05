import { startVoicePlatform } from '../../chaos/platforms/voice-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';

export const voiceDemo: ChannelDemo = {
  channel: 'voice',
  start: startVoicePlatform,
  // Sources are not read aloud: a caller who agrees gets them by message.
  read: (sent) => ({ text: sent, sources: [] }),
};
