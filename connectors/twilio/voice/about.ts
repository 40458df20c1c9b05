import type { About } from '../../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'Phone', de: 'Telefon' },
  summary: { en: 'Calls answered by voice', de: 'Anrufe, gesprochen beantwortet' },
  page: 'connectors/twilio/voice/README.md',
  symbol: 'phone',
  handle: { of: 'settings', field: 'from' },
  markup: 'none',
  sampleAddress: { call: 'CA0', caller: '+15550000001' },
  intakes: ['webhook'],
  abilities: [],
  agentFiles: 'refused',
  disclosure: 'greeting',
  // After the call nobody listens, and during it a person speaks, who can ask themselves.
  asksForRating: false,
};
