import type { ChannelDemo } from './channel-demo.ts';
import { startVoicePlatform } from './voice-platform.ts';

export const voiceDemo: ChannelDemo = {
  channel: 'voice',
  // A call that is cut is gone: nobody tells of it again, and nobody is there to hear the answer.
  isInChaos: false,
  start: startVoicePlatform,
  // Sources are not read aloud: they come by message to who says yes.
  read: (sent) => ({ text: sent, sources: [] }),
};
