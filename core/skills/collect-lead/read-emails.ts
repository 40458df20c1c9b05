/** Letters of any script, so that internationalised addresses count; parts as long as mail allows them. */
const ADDRESS =
  /(?<![\p{L}\p{M}\p{N}._%+'@-])[\p{L}\p{M}\p{N}_%+-]{1,64}(?:[.'][\p{L}\p{M}\p{N}_%+-]{1,64})*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:xn--[a-z\d-]{1,58}[a-z\d]|\p{L}[\p{L}\p{M}]{1,62})(?![\p{L}\p{M}\p{N}@_-])/giu;
const LONGEST = 254;
const LONGEST_LOCAL = 64;

/** An e-mail address or a phone number as it was written, and where. */
export interface FoundContact {
  readonly text: string;
  readonly at: number;
}

/** The e-mail addresses that a text holds, in its order. */
export function readEmails(text: string): readonly FoundContact[] {
  return Array.from(text.matchAll(ADDRESS), (match) => ({ text: match[0], at: match.index })).filter(
    ({ text: found }) => found.length <= LONGEST && found.indexOf('@') <= LONGEST_LOCAL,
  );
}
