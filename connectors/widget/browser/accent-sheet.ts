import type { Look } from './types.ts';

/** A style that makes the look's colour the accent of what is shown. */
export function accentSheet({ colour, text, light, dark }: Look['accent']): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:host{--p-accent:${colour};--p-on-accent:${text};--p-link-light:${light};--p-link-dark:${dark}}`,
  );
  return sheet;
}
