import { convert } from 'html-to-text';
import { startHostedPlatform } from '../../chaos/platforms/hosted-platform.ts';
import type { ChannelDemo } from '../channel-demo.ts';

export const hostedDemo: ChannelDemo = {
  channel: 'hosted',
  isListenedTo: true,
  start: startHostedPlatform,
  read: (page) => ({
    text: textOf(page, 'li.assistant').replaceAll(/\s+/g, ' '),
    sources: textOf(page, 'span.name').split('\n'),
  }),
};

const unread = ['span.hidden', 'div.sources'].map((selector) => ({ selector, format: 'skip' }));

/** Reads the elements of a page that `selector` names, each on lines of its own; sources are apart from the answer. */
function textOf(page: string, selector: string): string {
  const baseElements = { selectors: [selector], returnDomByDefault: false };
  return convert(page, { wordwrap: false, baseElements, selectors: unread }).trim();
}
