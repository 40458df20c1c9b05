const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Each takes the place of two. */
const EXTENDED = new Set('\f^{}\\[~]|€');

const GSM = { whole: 160, piece: 153 };
/** In UTF-16 units. */
const UCS2 = { whole: 70, piece: 67 };

/** Whether a text can be sent in the alphabet of seven bits: one letter beyond it, and all take sixteen. */
export function isGsm(text: string): boolean {
  return [...text].every((letter) => BASIC.has(letter) || EXTENDED.has(letter));
}

/** How many messages a carrier makes of a text, which is what it costs. */
export function countSegments(text: string): number {
  const letters = [...text];
  const [units, room] = isGsm(text)
    ? [letters.reduce((sum, letter) => sum + (EXTENDED.has(letter) ? 2 : 1), 0), GSM]
    : [text.length, UCS2];
  return units <= room.whole ? 1 : Math.ceil(units / room.piece);
}
