import type { About } from '../../../../core/contract/connector.ts';

/** The facts about a channel that exists in tests only. */
export const fakeAbout: About = {
  name: { en: 'Fake', de: 'Fake' },
  summary: { en: 'A channel of tests', de: 'Ein Kanal für Tests' },
  page: 'connectors/telegram/README.md',
  symbol: 'send',
  handle: { of: 'profile', field: 'handle' },
  markup: 'none',
  intakes: ['webhook', 'listener'],
  abilities: [],
  disclosure: 'interface',
  asksForRating: true,
};
