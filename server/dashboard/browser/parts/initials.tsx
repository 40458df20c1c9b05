interface InitialsProps {
  readonly name: string;
  /** The person of the mark, for its colour. Absent: the name. */
  readonly of?: string;
  readonly size?: number;
}

const tones = ['accent', 'green', 'amber', 'red', 'grey'] as const;

/** The first letters of a name in a circle. It is decoration: the name stands beside it. */
export function Initials({ name, of = name, size = 24 }: InitialsProps) {
  const letters = name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => [...word][0] ?? '');
  const shown = [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('').toUpperCase();
  let sum = 0;
  for (const char of of) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return (
    <span
      className="p-initials"
      data-tone={tones[sum % tones.length]}
      style={{ width: size, height: size, fontSize: Math.max(8, Math.round(size * 0.4)) }}
      aria-hidden="true"
    >
      {shown}
    </span>
  );
}
