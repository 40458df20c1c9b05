import type { askChannel as english } from '../../english/screens/ask-channel.ts';

export const askChannel: typeof english = {
  channel: 'Gezeigt in',
  none: 'Kein Kanal',
  shown: (channel) => `Wie ${channel} sie zeigt`,
  subject: 'Betreff',
  length: (length, limit) => `${length} von ${limit} Zeichen`,
  part: (part, parts) => `Nachricht ${part} von ${parts}`,
};
