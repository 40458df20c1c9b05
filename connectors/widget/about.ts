import type { About } from '../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'Website widget', de: 'Website-Widget' },
  summary: { en: 'A chat on your own pages', de: 'Ein Chat auf Ihren eigenen Seiten' },
  page: 'connectors/widget/README.md',
  symbol: 'message-circle',
  handle: { of: 'settings', field: 'allowed_domains' },
  markup: 'markdown',
  intakes: [],
  abilities: [],
  disclosure: 'interface',
  asksForRating: false,
};
