import type { About } from '../../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'WhatsApp', de: 'WhatsApp' },
  summary: { en: 'Your business number, through Twilio', de: 'Ihre Geschäftsnummer, über Twilio' },
  page: 'connectors/twilio/whatsapp/README.md',
  symbol: 'message-circle-more',
  colour: { light: '#14713b', dark: '#74d79b' },
  handle: { of: 'settings', field: 'from' },
  markup: 'single-marks',
  intakes: ['webhook'],
  abilities: ['typing', 'files', 'window'],
  agentFiles: 'shown',
  disclosure: 'message',
  asksForRating: true,
};
