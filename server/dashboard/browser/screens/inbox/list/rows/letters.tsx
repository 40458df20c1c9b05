interface LettersProps {
  readonly person: { readonly id: string; readonly name: string };
}

const pairs = 5;

/** The first letters of a person in one of five colours, the same everywhere by their id. */
export function Letters({ person: { id, name } }: LettersProps) {
  const words = name.split(' ').filter((word) => word !== '');
  const letters = words.length > 1 ? `${words[0]?.[0]}${words.at(-1)?.[0]}` : name.slice(0, 2);
  const hash = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);
  return (
    <span className="p-letters" data-pair={hash % pairs} title={name}>
      {letters.toUpperCase()}
    </span>
  );
}
