import { Avatar, Group, Text } from '@mantine/core';
import { type IconType, Mail, MessageCircle } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { ConfidencePill } from '../../parts/pills.tsx';
import { useCommonTexts } from '../../texts/common-texts.tsx';

/** The product in three questions. */
export function Samples() {
  const { texts } = useCommonTexts();
  const words = texts.signIn.samples;
  return (
    <div>
      <div className="p-card p-steps p-entry-samples">
        <Sample icon={MessageCircle} question={words.one} meta={words.oneMeta} level="medium" />
        <Sample icon={Mail} question={words.two} meta={words.twoMeta} level="high" />
        <Sample icon={MessageCircle} question={words.three} meta={words.threeMeta} />
      </div>
      <Text fz={20} lh="28px" fw={600} mt="xl" style={{ letterSpacing: '-0.01em' }}>
        {texts.signIn.promise}
      </Text>
    </div>
  );
}

interface SampleProps {
  readonly icon: IconType;
  readonly question: string;
  readonly meta: string;
  readonly level?: 'high' | 'medium';
}

function Sample({ icon, question, meta, level }: SampleProps) {
  return (
    <Group p="lg" gap="md" wrap="nowrap">
      <span className="p-entry-tile">
        <Icon of={icon} />
      </span>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text fw={600} truncate>
          {question}
        </Text>
        <Text size="xs" c="dimmed">
          {meta}
        </Text>
      </div>
      {level === undefined ? (
        <Avatar size={26} name="Ben Okafor" color="petrol" />
      ) : (
        <ConfidencePill level={level} />
      )}
    </Group>
  );
}
