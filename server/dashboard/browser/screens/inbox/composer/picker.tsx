import type { WithReply } from './outbox.ts';

/** Something to put into the text. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly text: string;
  readonly extra?: WithReply;
}

interface PickerProps {
  readonly id: string;
  readonly label: string;
  readonly empty: string;
  readonly choices: readonly Choice[];
  readonly active: number;
  readonly onChoose: (choice: Choice) => void;
}

/** The list above the field. The field keeps the focus and controls it. */
export function Picker({ id, label, empty, choices, active, onChoose }: PickerProps) {
  if (choices.length === 0) {
    return (
      <p className="p-picker p-picker-empty" id={id} role="status">
        {empty}
      </p>
    );
  }
  return (
    <div className="p-picker" id={id} role="listbox" aria-label={label}>
      {choices.map((choice, position) => (
        <div
          key={choice.id}
          id={`${id}-${position}`}
          role="option"
          tabIndex={-1}
          aria-selected={position === active}
          className="p-picker-choice"
          // Before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(choice);
          }}
        >
          <strong>{choice.name}</strong>
          <span>{choice.hint}</span>
        </div>
      ))}
    </div>
  );
}
