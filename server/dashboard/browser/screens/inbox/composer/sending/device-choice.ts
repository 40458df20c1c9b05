/** Keeps one of a few values on this device. Where storage is off, the choice lasts as long as the page. */
export function deviceChoice<Value extends string | number>(
  key: string,
  choices: readonly Value[],
  fallback: Value,
): { readonly read: () => Value; readonly store: (value: Value) => void } {
  let unstored: Value | null = null;
  return {
    read() {
      if (unstored !== null) return unstored;
      try {
        const stored = localStorage.getItem(key);
        return choices.find((each) => String(each) === stored) ?? fallback;
      } catch {
        return fallback;
      }
    },
    store(value) {
      try {
        localStorage.setItem(key, String(value));
        unstored = null;
      } catch {
        unstored = value;
      }
    },
  };
}
