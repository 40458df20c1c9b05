import { startSlackPlatform } from '../chaos/slack-platform.ts';
import type { ChannelDemo, ReadAnswer } from './channel-demo.ts';

const SOURCE = /^(?:🔗|📄) /u;

export const slackDemo: ChannelDemo = {
  channel: 'slack',
  start: () => startSlackPlatform({ place: 'direct' }),
  read: readAnswer,
};

function readAnswer(sent: string): ReadAnswer {
  const lines = sent.split('\n').filter((line) => line.trim() !== '');
  return {
    text: lines.filter((line) => !SOURCE.test(line)).join(' '),
    sources: lines
      .filter((line) => SOURCE.test(line))
      .map((line) => line.replace(SOURCE, '').replace(/^<[^|]*\|(.*)>$/, '$1')),
  };
}
