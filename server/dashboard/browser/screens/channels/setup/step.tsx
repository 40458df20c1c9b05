import { Button, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { ArrowRight } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface StepOfProps {
  readonly title: string;
  readonly text: string;
  readonly onBack: (() => void) | null;
  readonly onNext?: () => void;
  readonly note?: string | null;
  readonly children: ReactNode;
}

/** One step: its heading takes the focus, so that a screen reader begins there. */
export function StepOf({ title, text, onBack, onNext, note = null, children }: StepOfProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <Title order={2} className="p-wizard-title" ref={heading} tabIndex={-1}>
        {title}
      </Title>
      <Text c="var(--p-text-2)" mb="lg">
        {text}
      </Text>
      <div className="p-wizard-body">{children}</div>
      {(onBack !== null || onNext !== undefined) && (
        <div className="p-wizard-foot">
          {onBack !== null && (
            <Button variant="default" onClick={onBack}>
              {words.back}
            </Button>
          )}
          <Text size="xs" c="dimmed" flex={1}>
            {note}
          </Text>
          {onNext !== undefined && (
            <Button rightSection={<Icon of={ArrowRight} />} onClick={onNext}>
              {words.next}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
