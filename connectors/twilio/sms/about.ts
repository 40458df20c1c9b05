import type { About } from '../../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'SMS', de: 'SMS' },
  summary: { en: 'Text messages, through Twilio', de: 'Textnachrichten, über Twilio' },
  page: 'connectors/twilio/sms/README.md',
  symbol: 'message-square-text',
  handle: { of: 'settings', field: 'from' },
  markup: 'none',
  intakes: ['webhook'],
  abilities: ['files'],
  disclosure: 'message',
  asksForRating: true,
};
