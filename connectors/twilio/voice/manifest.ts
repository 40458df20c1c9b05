import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import { z } from 'zod';
import type { Account } from '../../../core/contract/account.ts';
import type { Manifest } from '../../../core/contract/connector.ts';
import { twilioCredentials, twilioSettings } from '../account.ts';

type Language = VoiceResponse.GatherAttributes['language'] & VoiceResponse.SayAttributes['language'];
type Voice = NonNullable<VoiceResponse.SayAttributes['voice']>;

/** Twilio's own lists grow: what looks right is let through, and refused by Twilio where it is not. */
const language = z.custom<NonNullable<Language>>(
  (value) => typeof value === 'string' && /^[a-z]{2,3}(-[A-Z][\w-]*)?$/.test(value),
  'A language is written as en-US or de-DE.',
);
const voice = z.custom<Voice>(
  (value) => typeof value === 'string' && /^[\w.-]{2,80}$/u.test(value),
  'A voice is written as Polly.Joanna-Neural, as Twilio lists them.',
);

/** What Twilio takes in one message, and far more than a caller listens to in one go. */
const TEXT_CHARS = 1_600;

const settings = twilioSettings.extend({
  language: language
    .default('en-US')
    .describe('What callers speak and hear, as en-US or de-DE; en-US unless said.'),
  voice: voice
    .optional()
    .describe(
      'Who reads aloud, as Polly.Joanna-Neural; for `relay` a voice of its own lists. Twilio’s own for the language unless said.',
    ),
  greeting: z
    .string()
    .min(1)
    .max(1_000)
    .refine((text) => !hasCardNumber(text), 'A greeting is no place for numbers of cards.')
    .optional()
    .describe('What a caller hears first; a sentence of ours in his language unless said.'),
  hints: z
    .string()
    .max(4_000)
    .refine((text) => !hasCardNumber(text), 'Hints are no place for numbers of cards.')
    .optional()
    .describe('Names and words that callers use and a listener may not know, parted by commas.'),
  transfer_to: z
    .string()
    .regex(/^\+[1-9]\d{3,14}$/, 'A number is written as +15551234567.')
    .optional()
    .describe(
      'The number that is dialled when a caller is to speak with a person; without it he is told that somebody calls back.',
    ),
  relay: z
    .boolean()
    .default(false)
    .describe(
      'Whether Twilio’s ConversationRelay holds the call: answers are read aloud while they are made.',
    ),
});

type Credentials = z.infer<typeof twilioCredentials>;
type Settings = z.infer<typeof settings>;

export type VoiceAccount = Account<Credentials, Settings>;

export const manifest: Manifest<Credentials, Settings> = {
  contract: 1,
  channel: 'voice',
  credentials: twilioCredentials,
  settings,
  limits: { textChars: TEXT_CHARS },
};

/** 13 to 19 digits, in groups or not. */
const DIGIT_RUN = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** Whether a text holds what can be the number of a card: its last digit is made of the others. */
function hasCardNumber(text: string): boolean {
  return (text.match(DIGIT_RUN) ?? []).some((run) => isLuhnValid(run.replaceAll(/\D/g, '')));
}

/** By Luhn: from the right every second digit counts twice, and of what has two digits both. */
function isLuhnValid(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
