/** An answer on trial as a channel shows it. */
export const askChannel = {
  channel: 'Shown in',
  none: 'No channel',
  shown: (channel: string) => `As ${channel} shows it`,
  subject: 'Subject',
  length: (length: string, limit: string) => `${length} of ${limit} characters`,
  part: (part: number, parts: number) => `Message ${part} of ${parts}`,
};
