import type { About } from '../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'Hosted page', de: 'Eigene Seite' },
  summary: { en: 'A page with an address of its own', de: 'Eine Seite mit eigener Adresse' },
  page: 'connectors/hosted/README.md',
  symbol: 'panel-top',
  handle: { of: 'settings', field: 'slug', prefix: '/c/' },
  chatPage: { of: 'settings', field: 'slug', prefix: '/c/' },
  markup: 'markdown',
  intakes: [],
  abilities: [],
  disclosure: 'interface',
  asksForRating: false,
};
