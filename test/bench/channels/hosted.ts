import { convert } from 'html-to-text';
import type { ChannelDemo } from './channel-demo.ts';
import { startHostedPlatform } from './hosted-platform.ts';

export const hostedDemo: ChannelDemo = {
  channel: 'hosted',
  isListenedTo: true,
  // Who posts a form and loses the connection looks at the page and decides: nothing is asked again by itself.
  isInChaos: false,
  start: startHostedPlatform,
  read: (page) => ({
    text: textOf(page, 'li.assistant').replaceAll(/\s+/g, ' '),
    sources: textOf(page, 'span.name').split('\n'),
  }),
};

const unread = ['span.hidden', 'div.sources'].map((selector) => ({ selector, format: 'skip' }));

/** Of the elements of a page that `selector` names, each on lines of its own; sources are apart from the answer. */
function textOf(page: string, selector: string): string {
  const baseElements = { selectors: [selector], returnDomByDefault: false };
  return convert(page, { wordwrap: false, baseElements, selectors: unread }).trim();
}
