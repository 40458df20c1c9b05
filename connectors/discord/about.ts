import type { About } from '../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'Discord', de: 'Discord' },
  summary: { en: 'Servers, threads and direct messages', de: 'Server, Threads und Direktnachrichten' },
  page: 'connectors/discord/README.md',
  symbol: 'messages-square',
  colour: { light: '#4650c8', dark: '#a5adff' },
  handle: { of: 'profile', field: 'username' },
  markup: 'markdown',
  sampleAddress: { kind: 'direct', channel: '100000000000000001' },
  intakes: ['webhook', 'listener'],
  abilities: ['typing', 'files', 'tenancy'],
  // Next to the name of every bot stands APP.
  disclosure: 'interface',
  asksForRating: true,
};
