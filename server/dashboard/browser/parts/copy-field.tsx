import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from '../icons.ts';
import { useCommonTexts } from '../texts/common-texts.tsx';
import { Icon } from './icon.tsx';

interface CopyFieldProps {
  readonly value: string;
  readonly label?: string;
}

/** A text to copy: an address, an id, a command. It is never cut. */
export function CopyField({ value, label }: CopyFieldProps) {
  return (
    <div>
      {label !== undefined && (
        <Text fw={500} mb={4}>
          {label}
        </Text>
      )}
      <Group className="p-card" gap="xs" wrap="nowrap" ps="md" pe={4} mih={36}>
        <Text className="p-mono" flex={1} py={6} style={{ overflowWrap: 'anywhere' }} dir="ltr">
          {value}
        </Text>
        <CopyButton value={value} {...(label !== undefined && { label })} />
      </Group>
    </div>
  );
}

interface CopyButtonProps {
  readonly value: string;
  readonly label?: string;
}

/** A symbol that copies a text and says so. */
export function CopyButton({ value, label }: CopyButtonProps) {
  const { texts } = useCommonTexts();
  const clipboard = useClipboard({ timeout: 2_000 });
  const name = clipboard.copied ? texts.parts.copied : texts.parts.copy;
  return (
    <Tooltip label={label === undefined || clipboard.copied ? name : label}>
      <ActionIcon
        size="xs"
        aria-label={label === undefined ? name : `${name}: ${label}`}
        onClick={() => clipboard.copy(value)}
      >
        <Icon of={clipboard.copied ? Check : Copy} size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
