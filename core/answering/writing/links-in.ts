/** The name of a mailbox or host is tried from its beginning only: from each of its letters it would take quadratic time. */
const LINK =
  /https?:\/\/[^\s<>"')\]]+|www\.[^\s<>"')\]]+|(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|(?<![\p{L}\p{N}-]\.?)(?:[\p{L}\p{N}-]+\.)+[a-z]{2,24}(?:\/[^\s<>"')\]]*)?/gu;
const CLOSING = /(?<![.,;:!?])[.,;:!?]+$/u;

/** Addresses of pages and of people that a text names. */
export function linksIn(text: string): readonly string[] {
  if (!/[.@]/.test(text)) return [];
  return (text.match(LINK) ?? []).map((link) => link.replace(CLOSING, ''));
}
