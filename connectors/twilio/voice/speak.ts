import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { VoiceAccount } from './manifest.ts';

/** Reads sentences aloud, the first by itself, so that it is heard while the others are still being made into a voice. */
export function speak(
  target: Pick<VoiceResponse, 'say'>,
  sentences: readonly string[],
  { settings: { language, voice } }: VoiceAccount,
): void {
  const [first, ...others] = sentences;
  const attributes = { language, ...(voice !== undefined && { voice }) };
  if (first !== undefined) target.say(attributes, first);
  if (others.length > 0) target.say(attributes, others.join(' '));
}
