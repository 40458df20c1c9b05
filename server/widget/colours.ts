/** The background colours of both themes, as in the styles. */
const lightBackground = '#ffffff';
const darkBackground = '#17191e';

/** A colour, a readable text colour on it, and its nearest readable variants on both backgrounds. */
interface Accent {
  readonly colour: string;
  readonly text: string;
  readonly light: string;
  readonly dark: string;
}

export function computeAccent(colour: string): Accent {
  return {
    colour,
    text: readableTextColour(colour),
    light: readableVariant(lightBackground, colour),
    dark: readableVariant(darkBackground, colour),
  };
}

type Rgb = readonly [number, number, number];

const minContrast = 4.5;

/** Parses `#rrggbb`. */
function parseRgb(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function toHex(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio as WCAG defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other]
    .map((colour) => luminance(parseRgb(colour)))
    .sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns white if it is readable on the colour, else black, which then always is. */
function readableTextColour(colour: string): string {
  return contrast('#ffffff', colour) >= minContrast ? '#ffffff' : '#000000';
}

/** Returns the colour itself if it is readable on `ground`, else its nearest readable variant. */
function readableVariant(background: string, colour: string): string {
  const goal = luminance(parseRgb(background)) > 0.4 ? 0 : 255;
  for (let share = 0; share <= 1; share += 0.05) {
    const [red, green, blue] = parseRgb(colour).map((part) => part + (goal - part) * share);
    const mixed = toHex([red ?? 0, green ?? 0, blue ?? 0]);
    if (contrast(mixed, background) >= minContrast) return mixed;
  }
  return goal === 0 ? '#000000' : '#ffffff';
}
