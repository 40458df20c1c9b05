import { Text } from '@mantine/core';
import type { ChannelGuide } from '../../../api/queries/channels.ts';
import { CircleQuestionMark } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { GuideText } from './guide-steps.tsx';

/** The faults that the page of the channel knows, with their remedies. */
export function Troubles({ guide: { troubles } }: { readonly guide: ChannelGuide }) {
  const { texts } = useTexts();
  if (troubles.length === 0) return null;
  return (
    <section aria-labelledby="wizard-stuck">
      <Text id="wizard-stuck" size="xs" fw={500} c="dimmed" mb="sm">
        {texts.channels.wizard.check.stuck}
      </Text>
      <ul className="p-troubles">
        {troubles.map(({ symptom, remedy }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a kind does not change
          <li key={position}>
            <Icon of={CircleQuestionMark} size={14} color="var(--p-dim)" />
            <div>
              <Text size="sm" className="p-break">
                <GuideText spans={symptom} />
              </Text>
              <Text size="xs" c="var(--p-text-2)" className="p-break">
                <GuideText spans={remedy} />
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
