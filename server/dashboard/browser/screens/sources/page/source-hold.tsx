import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { isGoing, type Source, type SourceHold, useSourceAction } from '../../../api/queries/sources.ts';
import { Check, Hand, Undo2 } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface HoldProps {
  readonly workspace: string;
  readonly source: Source;
  readonly hold: SourceHold;
  readonly may: boolean;
}

/** The changes of an implausible run: three numbers, samples, and the decision of an owner. */
export function Hold({ workspace, source, hold, may }: HoldProps) {
  const { texts } = useTexts();
  const words = texts.sources.hold;
  const { number } = texts.sources;
  return (
    <section className="p-card p-hold" aria-label={words.title}>
      <header>
        <Icon of={Hand} size={18} />
        <Title order={2}>{words.title}</Title>
        <Text span c="var(--p-text-2)" size="sm">
          <TimeAgo at={hold.since} />
        </Text>
      </header>
      {hold.rules.map((rule) => (
        <Text key={rule} size="sm">
          {words.rules[rule]}
        </Text>
      ))}
      <Text size="sm" c="var(--p-text-2)">
        {words.text}
      </Text>
      <dl className="p-run-counts">
        {(['removed', 'changed', 'kept'] as const).map((name) => (
          <div key={name}>
            <dt>{words[name]}</dt>
            <dd className="p-numbers">{number(hold[name])}</dd>
          </div>
        ))}
      </dl>
      <Samples hold={hold} />
      {may ? (
        <Decision workspace={workspace} source={source} hold={hold} />
      ) : (
        <Text className="p-read-only">{words.readOnly}</Text>
      )}
    </section>
  );
}

function Samples({ hold: { samples } }: { readonly hold: SourceHold }) {
  const { texts } = useTexts();
  const words = texts.sources.hold;
  return (
    <details className="p-hold-samples">
      <summary>{words.samples(samples.length)}</summary>
      <ul>
        {samples.map(({ effect, title, url, before, after }) => (
          <li key={`${effect} ${url ?? title}`}>
            <Text span fw={500} className="p-breaks">
              {title ?? url ?? '–'}
            </Text>
            <Text span size="sm" c="var(--p-text-2)">
              {effect === 'removed' ? words.wouldGo : words.wouldChange(before, after ?? 0)}
            </Text>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Decision({ workspace, source, hold }: Omit<HoldProps, 'may'>) {
  const { texts } = useTexts();
  const words = texts.sources.hold;
  const [asked, setAsked] = useState<'apply' | 'discard' | null>(null);
  const act = useSourceAction({ workspace, source: source.id });
  const going = isGoing(source);
  const close = () => {
    act.reset();
    setAsked(null);
  };
  const decide = (action: 'apply' | 'discard') =>
    act.mutate(action, {
      onSuccess: () => {
        notifications.show({ message: words.done[action], role: 'status' });
        close();
      },
    });
  return (
    <>
      <Group gap="sm" mt="lg">
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon of={Undo2} size={14} />}
          onClick={() => setAsked('discard')}
        >
          {words.discard}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={going}
          leftSection={<Icon of={Check} size={14} />}
          onClick={() => setAsked('apply')}
        >
          {words.apply}
        </Button>
        {going && <Text size="sm">{words.going}</Text>}
      </Group>
      <Modal
        opened={asked !== null}
        onClose={close}
        title={asked === 'apply' ? words.applyTitle : words.discardTitle}
        attributes={{ header: { role: 'presentation' } }}
        closeButtonProps={{ 'aria-label': texts.frame.close }}
        centered
      >
        <Stack gap="lg">
          <Text>{asked === 'apply' ? words.applyText(hold.removed, hold.changed) : words.discardText}</Text>
          {act.error !== null && <FaultLine>{toProblem(act.error).message}</FaultLine>}
          <Group justify="flex-end" gap="sm">
            <Button variant="subtle" onClick={close}>
              {texts.parts.cancel}
            </Button>
            {asked !== null && (
              <Button
                {...(asked === 'apply' && { color: 'red' })}
                loading={act.isPending}
                data-autofocus
                onClick={() => decide(asked)}
              >
                {asked === 'apply' ? words.apply : words.discard}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
