import type { DiscordMessage } from './native-schema.ts';

/** A file of a message: its address ends within a day, so it is the message that is asked for it again. */
interface MessageFile {
  readonly channel: string;
  readonly message: string;
  readonly attachment: string;
}

/** A sticker stays where it is. */
interface StickerFile {
  /** Such as `1234.png`. */
  readonly sticker: string;
}

type Sticker = NonNullable<DiscordMessage['sticker_items']>[number];

/** By `format_type`: PNG, animated PNG, Lottie and GIF. */
const STICKER_ENDINGS = ['png', 'png', 'png', 'json', 'gif'];

const ofMessage = /^(\d+)\/(\d+)\/(\d+)$/;
const ofSticker = /^sticker:(\d+\.(?:png|json|gif))$/;

export function writeFileReference({ channel, message, attachment }: MessageFile): string {
  return `${channel}/${message}/${attachment}`;
}

export function writeStickerReference({ id, format_type: format }: Sticker): string {
  return `sticker:${id}.${STICKER_ENDINGS[format ?? 0] ?? 'png'}`;
}

/** Null for what is none of ours. */
export function readFileReference(reference: string): MessageFile | StickerFile | null {
  const [, sticker] = ofSticker.exec(reference) ?? [];
  if (sticker !== undefined) return { sticker };
  const [, channel, message, attachment] = ofMessage.exec(reference) ?? [];
  if (channel === undefined || message === undefined || attachment === undefined) return null;
  return { channel, message, attachment };
}
