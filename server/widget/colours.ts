/** The grounds of both themes, as the styles have them. */
const lightBackground = '#ffffff';
const darkBackground = '#17191e';

/** A colour, what can be read on it, and the nearest ones that can be read on either ground. */
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

/** Of `#rrggbb`. */
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

/** 1 to 21, as the WCAG measure it. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other]
    .map((colour) => luminance(parseRgb(colour)))
    .sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** What can be read on a colour: white where it is possible, else black, which always is then. */
function readableTextColour(colour: string): string {
  return contrast('#ffffff', colour) >= minContrast ? '#ffffff' : '#000000';
}

/** The colour itself where it can be read on `ground`, else the nearest that can. */
function readableVariant(ground: string, colour: string): string {
  const goal = luminance(parseRgb(ground)) > 0.4 ? 0 : 255;
  for (let share = 0; share <= 1; share += 0.05) {
    const [red, green, blue] = parseRgb(colour).map((part) => part + (goal - part) * share);
    const mixed = toHex([red ?? 0, green ?? 0, blue ?? 0]);
    if (contrast(mixed, ground) >= minContrast) return mixed;
  }
  return goal === 0 ? '#000000' : '#ffffff';
}
