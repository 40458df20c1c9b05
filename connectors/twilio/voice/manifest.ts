import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import { z } from 'zod';
import type { Account } from '../../../core/contract/account.ts';
import type { Manifest } from '../../../core/contract/connector.ts';
import { twilioCredentials, twilioSettings } from '../account.ts';

type Language = VoiceResponse.GatherAttributes['language'] & VoiceResponse.SayAttributes['language'];
type Voice = NonNullable<VoiceResponse.SayAttributes['voice']>;

/** Only the format is checked, because Twilio's lists grow. Twilio refuses unknown values itself. */
const language = z.custom<NonNullable<Language>>(
  (value) => typeof value === 'string' && /^[a-z]{2,3}(-[A-Z][\w-]*)?$/.test(value),
  'Write the language as a tag, for example en-US or de-DE.',
);
const voice = z.custom<Voice>(
  (value) => typeof value === 'string' && /^[\w.-]{2,80}$/u.test(value),
  'Write the voice as Twilio lists it, for example Polly.Joanna-Neural.',
);

/** Twilio's limit for one message, and far more than a caller listens to at once. */
const TEXT_CHARS = 1_600;

const settings = twilioSettings.extend({
  language: language.default('en-US').describe('Language of the call, for example de-DE. Defaults to en-US.'),
  voice: voice
    .optional()
    .describe(
      'Voice, for example Polly.Joanna-Neural. With `relay`, a voice from the lists of ConversationRelay. Defaults to Twilio’s voice for the language.',
    ),
  greeting: z
    .string()
    .min(1)
    .max(1_000)
    .refine((text) => !hasCardNumber(text), 'The greeting must not contain a card number.')
    .optional()
    .describe('First sentence of a call. Defaults to a greeting in the language of the call.'),
  hints: z
    .string()
    .max(4_000)
    .refine((text) => !hasCardNumber(text), 'The hints must not contain a card number.')
    .optional()
    .describe('Names and terms for the speech recognition, separated by commas.'),
  transfer_to: z
    .string()
    .regex(/^\+[1-9]\d{3,14}$/, 'Write the number as +15551234567.')
    .optional()
    .describe(
      'Number to dial when a caller asks for a person. Without it, callers are told that somebody calls back.',
    ),
  relay: z
    .boolean()
    .default(false)
    .describe('Whether to use Twilio’s ConversationRelay, which speaks answers while they are generated.'),
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

/** 13 to 19 digits, grouped or not. */
const DIGIT_RUN = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** Whether a text contains a number with the check digit of a payment card. */
function hasCardNumber(text: string): boolean {
  return (text.match(DIGIT_RUN) ?? []).some((run) => isLuhnValid(run.replaceAll(/\D/g, '')));
}

/** Luhn algorithm: from the right, every second digit is doubled, and 9 is subtracted from results above 9. */
function isLuhnValid(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
