import { accentOf } from '../widget/accent.ts';

/** The look's colour, which was checked to be one, for the styles of the page. */
export function accentStyle(chosen: string): string {
  const { colour, text, light, dark } = accentOf(chosen);
  return `:root{--p-accent:${colour};--p-on-accent:${text};--p-link-light:${light};--p-link-dark:${dark}}`;
}
