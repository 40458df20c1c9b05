import { Button, Menu, Text } from '@mantine/core';
import { Check, ChevronDown, type IconType } from '../icons.ts';
import { useTexts } from '../texts/texts.tsx';
import { Icon } from './icon.tsx';

interface ChipProps {
  readonly icon: IconType;
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string; readonly count?: number }[];
  /** Receives the chosen value; an empty one stands for all. */
  readonly onChoose: (value: string) => void;
}

/** A filter with one choice of several, as a chip. The styles come with those of the knowledge. */
export function Chip({ icon, name, value, options, onChoose }: ChipProps) {
  const { texts } = useTexts();
  const chosen = options.find((option) => option.value === value);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          className="p-filter-chip"
          data-on={chosen !== undefined || undefined}
          leftSection={<Icon of={icon} size={14} />}
          rightSection={<Icon of={ChevronDown} size={14} />}
        >
          {chosen === undefined ? name : `${name}: ${chosen.label}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {[{ value: '', label: texts.knowledge.all }, ...options].map((option) => (
          <Menu.Item
            key={option.value}
            onClick={() => onChoose(option.value)}
            leftSection={<Tick on={option.value === (chosen?.value ?? '')} />}
            rightSection={
              'count' in option && option.count !== undefined && option.count > 0 ? (
                <Text size="xs" c="dimmed" className="p-numbers">
                  {option.count}
                </Text>
              ) : undefined
            }
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Tick({ on }: { readonly on: boolean }) {
  return <span className="p-tick">{on && <Icon of={Check} size={14} />}</span>;
}
