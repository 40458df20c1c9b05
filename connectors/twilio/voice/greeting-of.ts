import type { VoiceAccount } from './manifest.ts';
import { voiceTexts } from './voice-texts.ts';

/** What a caller hears first. */
export function greetingOf({ settings }: Pick<VoiceAccount, 'settings'>): string {
  return settings.greeting ?? voiceTexts(settings.language).greeting;
}
