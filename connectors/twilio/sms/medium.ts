import type { Medium } from '../messaging/medium.ts';

/** Those of Twilio and the carriers, which Twilio confirms itself, and those that we say can be written. */
export const smsMedium: Medium = {
  prefix: '',
  words: {
    STOP: 'opt-out',
    STOPALL: 'opt-out',
    UNSUBSCRIBE: 'opt-out',
    CANCEL: 'opt-out',
    END: 'opt-out',
    QUIT: 'opt-out',
    REVOKE: 'opt-out',
    OPTOUT: 'opt-out',
    START: 'resume',
    UNSTOP: 'resume',
    YES: 'resume',
    HELP: 'left-to-twilio',
    INFO: 'left-to-twilio',
    MORE: 'more',
    MEHR: 'more',
    MAS: 'more',
    MÁS: 'more',
    SUITE: 'more',
  },
};
