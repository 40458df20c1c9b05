import type { About } from '../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'Telegram', de: 'Telegram' },
  summary: { en: 'Private chats, groups and topics', de: 'Private Chats, Gruppen und Themen' },
  page: 'connectors/telegram/README.md',
  symbol: 'send',
  colour: { light: '#1b6f9c', dark: '#7cc4ec' },
  handle: { of: 'profile', field: 'username', prefix: '@' },
  chatPage: { of: 'profile', field: 'username', prefix: 'https://t.me/' },
  markup: 'none',
  sampleAddress: { chat: 1, kind: 'private', topic: null },
  intakes: ['webhook', 'listener'],
  abilities: ['streaming', 'typing', 'files'],
  agentFiles: 'shown',
  // Names of bots end in bot, and the chat shows that it is with one.
  disclosure: 'interface',
  asksForRating: true,
};
