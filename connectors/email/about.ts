import type { About } from '../../core/contract/connector.ts';

export const about: About = {
  name: { en: 'E-mail', de: 'E-Mail' },
  summary: { en: 'A mailbox, read and answered', de: 'Ein Postfach, gelesen und beantwortet' },
  page: 'connectors/email/README.md',
  symbol: 'mail',
  handle: { of: 'settings', field: 'from' },
  markup: 'none',
  sampleAddress: { to: 'ann@visitor.example', name: 'Ann', subject: 'Question', references: [], quote: null },
  intakes: ['listener'],
  abilities: ['files', 'inbox'],
  agentFiles: 'shown',
  disclosure: 'message',
  asksForRating: true,
  isMailbox: true,
};
