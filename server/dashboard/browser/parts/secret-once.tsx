import { Button, Group, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Check, CircleCheck, Copy } from '../icons.ts';
import { useTexts } from '../texts/texts.tsx';
import { Icon } from './icon.tsx';

interface SecretOnceProps {
  /** The name of the new thing, such as a key. */
  readonly name: string;
  readonly secret: string;
  /** An example that uses it, such as a command that runs. */
  readonly children?: ReactNode;
}

/** A secret that is shown once, with what uses it. */
export function SecretOnce({ name, secret, children }: SecretOnceProps) {
  const { texts } = useTexts();
  const clipboard = useClipboard({ timeout: 2_000 });
  const { ready, hint } = texts.parts.secretOnce;
  return (
    <section
      aria-label={ready(name)}
      style={{ border: '1px solid var(--p-accent-line)', borderRadius: 8, overflow: 'hidden' }}
    >
      <div style={{ background: 'var(--p-accent-tint)', padding: 16 }}>
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Icon of={CircleCheck} color="var(--p-accent)" />
            <Text fw={600}>{ready(name)}</Text>
          </Group>
          <Text size="xs" c="var(--p-text-2)">
            {hint}
          </Text>
        </Group>
        <Group
          mt="md"
          ps="md"
          p={4}
          gap="sm"
          wrap="nowrap"
          style={{ background: 'var(--p-panel)', border: '1px solid var(--p-accent-line)', borderRadius: 6 }}
        >
          <Text className="p-mono" flex={1} style={{ overflowWrap: 'anywhere' }} dir="ltr">
            {secret}
          </Text>
          <Button
            size="xs"
            leftSection={<Icon of={clipboard.copied ? Check : Copy} size={14} />}
            onClick={() => clipboard.copy(secret)}
          >
            {clipboard.copied ? texts.parts.copied : texts.parts.copy}
          </Button>
        </Group>
      </div>
      {children}
    </section>
  );
}
