import { readableOn, textOn } from './colour.ts';

/** The grounds of both themes, as the styles have them. */
const lightGround = '#ffffff';
const darkGround = '#17191e';

/** A colour, what can be read on it, and the nearest ones that can be read on either ground. */
export interface Accent {
  readonly colour: string;
  readonly text: string;
  readonly light: string;
  readonly dark: string;
}

export function accentOf(colour: string): Accent {
  return {
    colour,
    text: textOn(colour),
    light: readableOn(lightGround, colour),
    dark: readableOn(darkGround, colour),
  };
}
