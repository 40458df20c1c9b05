import { Button, Group, Text } from '@mantine/core';
import { toProblem } from '../../api/problem.ts';
import { Unplug } from '../../icons.ts';
import { useTexts } from '../../texts/texts.tsx';
import { CopyButton } from '../copy-field.tsx';
import { Icon } from '../icon.tsx';
import { NoRight } from './no-right.tsx';

interface ErrorStateProps {
  readonly error: unknown;
  /** The missing part, such as “The documents did not load”. */
  readonly title?: string;
  readonly onRetry?: () => void;
}

/**
 * A failed request: what, why, “Try again”, and the code and the request id to copy. Without the right, it is one
 * calm line.
 */
export function ErrorState({ error, title, onRetry }: ErrorStateProps) {
  const { texts } = useTexts();
  const problem = toProblem(error);
  if (problem.status === 403) return <NoRight detail={problem.message} />;
  const words = { unreachable: texts.parts.error.noConnection, unexpected: texts.parts.error.unexpected };
  const why =
    problem.code === 'unreachable' || problem.code === 'unexpected' ? words[problem.code] : problem.message;
  const reference = [problem.code, problem.requestId].filter((part) => part !== null).join(', ');
  return (
    <div className="p-card" role="alert" style={{ padding: 16 }}>
      <Group gap="sm">
        <Icon of={Unplug} color="var(--p-red)" />
        <Text fw={600}>{title ?? texts.parts.error.title}</Text>
      </Group>
      <Text mt={4} c="var(--p-text-2)">
        {why}
      </Text>
      <Group mt="md" gap="md" wrap="nowrap">
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry} style={{ flexShrink: 0 }}>
            {texts.parts.error.tryAgain}
          </Button>
        )}
        <Text className="p-mono" c="dimmed" flex={1} truncate>
          {reference}
        </Text>
        <CopyButton value={reference} label={texts.parts.error.copy} />
      </Group>
    </div>
  );
}
