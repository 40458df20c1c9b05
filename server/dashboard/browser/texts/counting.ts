interface Forms {
  readonly one: string;
  readonly other: string;
  readonly few?: string;
  readonly many?: string;
  readonly zero?: string;
  readonly two?: string;
}

/** Numbers and plurals of one language, for the catalogues. */
export function countingIn(language: string) {
  const rules = new Intl.PluralRules(language);
  const format = new Intl.NumberFormat(language);
  return {
    number: (value: number) => format.format(value),
    /** Chooses the form for `count` and puts the number in place of `#`. */
    plural: (count: number, forms: Forms) =>
      (forms[rules.select(count)] ?? forms.other).replace('#', format.format(count)),
  };
}
