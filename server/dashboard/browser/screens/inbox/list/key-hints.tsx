import { useTexts } from '../../../texts/texts.tsx';

interface KeyHintsProps {
  readonly isEmpty: boolean;
  readonly mayWrite: boolean;
}

/** The most important keys, below the list. */
export function KeyHints({ isEmpty, mayWrite }: KeyHintsProps) {
  const { texts } = useTexts();
  const words = texts.inbox.hints;
  const shown: readonly (readonly [readonly string[], string])[] = isEmpty
    ? [
        [['V'], words.views],
        [['?'], words.keys],
      ]
    : [
        [['J', 'K'], words.move],
        ...(mayWrite
          ? ([
              [['X'], words.select],
              [['E'], words.resolve],
            ] as const)
          : []),
        [['?'], words.keys],
      ];
  return (
    <div className="p-list-hints" aria-hidden="true">
      {shown.map(([keys, name]) => (
        <span key={name}>
          {keys.map((key) => (
            <kbd key={key} className="p-key">
              {key}
            </kbd>
          ))}
          {name}
        </span>
      ))}
    </div>
  );
}
