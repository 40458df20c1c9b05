import type { Medium } from '../messaging/medium.ts';

/** Twilio heeds no words here by itself: what only carriers know as a wish to end it may be an answer to us. */
export const whatsappMedium: Medium = {
  prefix: 'whatsapp:',
  words: {
    STOP: 'opt-out',
    STOPALL: 'opt-out',
    UNSUBSCRIBE: 'opt-out',
    OPTOUT: 'opt-out',
    REVOKE: 'opt-out',
    START: 'resume',
    UNSTOP: 'resume',
    YES: 'resume',
    HELP: 'help',
    INFO: 'help',
  },
};
