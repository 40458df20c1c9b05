import type { About } from '../../../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'Echo', de: 'Echo' },
  summary: { en: 'Rooms of the Echo messenger', de: 'Räume des Messengers Echo' },
  page: 'server/docs/examples/channel-echo/README.md',
  symbol: 'message-circle',
  handle: { of: 'profile', field: 'name' },
  markup: 'none',
  intakes: ['webhook'],
  abilities: [],
  disclosure: 'message',
  asksForRating: true,
};
