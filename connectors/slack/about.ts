import type { About } from '../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'Slack', de: 'Slack' },
  summary: { en: 'Mentions, threads and direct messages', de: 'Erwähnungen, Threads und Direktnachrichten' },
  page: 'connectors/slack/README.md',
  symbol: 'hash',
  colour: { light: '#611f69', dark: '#d9a3e0' },
  handle: { of: 'profile', field: 'team' },
  markup: 'markdown',
  intakes: ['webhook', 'listener'],
  abilities: ['streaming', 'typing', 'welcome', 'files', 'tenancy', 'install_links'],
  // Next to the name of every bot stands APP.
  disclosure: 'interface',
  asksForRating: true,
};
