import type { About } from '../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'Intercom', de: 'Intercom' },
  summary: { en: 'Your Intercom inbox, as a teammate', de: 'Ihr Intercom-Posteingang, als Teammitglied' },
  page: 'connectors/intercom/README.md',
  symbol: 'message-square-more',
  colour: { light: '#1f3a8a', dark: '#9db8ff' },
  handle: { of: 'profile', field: 'app_name' },
  markup: 'none',
  intakes: ['webhook'],
  abilities: ['files', 'inbox', 'tenancy', 'install_links'],
  agentFiles: 'shown',
  // Answers come under the name of a teammate.
  disclosure: 'message',
  asksForRating: true,
};
