/** What has to be known of a language so that a machine reads a text aloud as a person would. */
export interface SpeechLanguage {
  /** What parts the whole of a number from its fraction, and its thousands. */
  readonly decimal: '.' | ',';
  readonly months: readonly string[];
  /** From Monday on, with the ways in which each is shortened. */
  readonly weekdays: readonly { readonly name: string; readonly short: readonly string[] }[];
  /** `First`, `Second`, … as the items of a numbered list begin. */
  readonly ordinals: readonly string[];
  /** Between the ends of a range. */
  readonly to: string;
  /** Of a price or a speed. */
  readonly per: string;
  readonly plus: string;
  readonly minus: string;
  /** Stands where an address of the web is not read out. */
  readonly webAddress: string;
  /** Stands where a piece of code is not read out. */
  readonly code: string;
  /** In an address of mail, which is read out: there is no other way to tell it. */
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
  /** On the clock of 24 hours. */
  time(hour: number, minute: number): string;
  /** Each read where it stands between characters that belong to no word. */
  readonly abbreviations: Readonly<Record<string, string>>;
  /** Behind a number. */
  readonly units: Readonly<Record<string, { readonly one: string; readonly many: string }>>;
  readonly signs: Readonly<Record<string, string>>;
}
