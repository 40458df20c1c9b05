import { startVoicePlatform } from '../../chaos/platforms/voice-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';

export const voiceDemo: ChannelDemo = {
  channel: 'voice',
  start: startVoicePlatform,
  // Sources are not read aloud: they come by message to who says yes.
  read: (sent) => ({ text: sent, sources: [] }),
};
