import { Text } from '@mantine/core';
import { ArrowRight } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useMailboxWords } from './mailbox-words.ts';
import './mailbox.css';

/** The effects of the switch, which a person reads before they use it. */
export function MailboxPromise() {
  const { title, lines } = useMailboxWords().promise;
  return (
    <section className="p-promise" aria-label={title}>
      <Text fw={600}>{title}</Text>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <Icon of={ArrowRight} size={14} color="var(--p-dim)" />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
