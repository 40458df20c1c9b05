import { startTwilioPlatform } from '../../chaos/platforms/twilio-platform.ts';
import type { ChannelDemo, ReadAnswer } from '../channel-demo.ts';

export const smsDemo: ChannelDemo = {
  channel: 'sms',
  start: () => startTwilioPlatform('sms'),
  read: readAnswer,
};

/** A short message has room for one address, and none for titles. */
function readAnswer(sent: string): ReadAnswer {
  const lines = sent.split('\n').filter((line) => line.trim() !== '');
  const isLink = (line: string) => /^https?:\S+$/.test(line);
  return { text: lines.filter((line) => !isLink(line)).join(' '), sources: lines.filter(isLink) };
}
