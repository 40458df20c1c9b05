import { Text, UnstyledButton } from '@mantine/core';
import { Check } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { WizardStep } from './place.ts';

interface StepListProps {
  readonly steps: readonly { readonly id: WizardStep; readonly label: string; readonly hint: string }[];
  readonly current: WizardStep;
  /** Whether the step was seen to be done. A step that was only passed has no tick. */
  readonly isDone: (step: WizardStep) => boolean;
  readonly isOpen: (step: WizardStep) => boolean;
  readonly onOpen: (step: WizardStep) => void;
}

/** The steps beside the open one. Those that were taken can be opened again. */
export function StepList({ steps, current, isOpen, isDone, onOpen }: StepListProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  const at = steps.findIndex(({ id }) => id === current);
  return (
    <nav className="p-wizard-steps" aria-label={words.stepsLabel}>
      <Text className="p-wizard-count" size="xs" c="dimmed">
        {words.stepOf(at + 1, steps.length)}
      </Text>
      <ol>
        {steps.map(({ id, label, hint }, position) => (
          <li key={id}>
            <UnstyledButton
              className="p-wizard-step"
              data-state={position === at ? 'now' : isDone(id) ? 'done' : 'later'}
              disabled={!isOpen(id)}
              {...(id === current && { 'aria-current': 'step' as const })}
              onClick={() => onOpen(id)}
            >
              <span className="p-wizard-sign" aria-hidden="true">
                {isDone(id) && position !== at ? <Icon of={Check} size={14} /> : position + 1}
              </span>
              <span>
                <span className="p-wizard-label">{label}</span>
                <span className="p-wizard-hint">{hint}</span>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ol>
    </nav>
  );
}
