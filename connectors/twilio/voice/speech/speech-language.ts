/** The rules of a language for reading a text aloud. */
export interface SpeechLanguage {
  /** The decimal separator; the other of the two separates thousands. */
  readonly decimal: '.' | ',';
  readonly months: readonly string[];
  /** The weekdays from Monday on, each with its abbreviations. */
  readonly weekdays: readonly { readonly name: string; readonly short: readonly string[] }[];
  /** `First`, `Second`, … for the items of a numbered list. */
  readonly ordinals: readonly string[];
  /** The word between the ends of a range. */
  readonly to: string;
  /** The word in a price or a speed. */
  readonly per: string;
  readonly plus: string;
  readonly minus: string;
  /** Replaces a web address. */
  readonly webAddress: string;
  /** Replaces a piece of code. */
  readonly code: string;
  /** The word for `@` in an email address, which is spelled out. */
  readonly at: string;
  readonly dot: string;
  readonly currencies: Readonly<
    Record<string, { readonly one: string; readonly many: string; readonly cents: string }>
  >;
  price(
    amount: string,
    fraction: string,
    currency: { readonly one: string; readonly many: string; readonly cents: string },
  ): string;
  date(day: number, month: string, year: string | null): string;
  /** Hours are 0 to 24. */
  time(hour: number, minute: number): string;
  /** Matched only at word boundaries. */
  readonly abbreviations: Readonly<Record<string, string>>;
  /** The units that are matched after a number. */
  readonly units: Readonly<Record<string, { readonly one: string; readonly many: string }>>;
  readonly signs: Readonly<Record<string, string>>;
}
