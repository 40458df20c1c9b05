import type { Conversation } from '../../../api/queries/conversation.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { useNow, useTimes } from '../conversation/use-times.ts';
import { Section } from './section.tsx';

/** The clocks of the workspace's targets, as far as they run. */
export function ServiceLevel({ head }: { readonly head: Conversation }) {
  const { texts } = useTexts();
  const words = texts.conversation.clock;
  const { first_response: first, resolution } = head.sla;
  if (first === null && resolution === null) return null;
  return (
    <Section title={words.title}>
      {first !== null && <Clock name={words.reply} clock={first} />}
      {resolution !== null && <Clock name={words.solved} clock={resolution} />}
    </Section>
  );
}

interface ClockProps {
  readonly name: string;
  readonly clock: NonNullable<Conversation['sla']['resolution']>;
}

function Clock({ name, clock }: ClockProps) {
  const { texts } = useTexts();
  const words = texts.conversation.clock;
  const times = useTimes();
  const now = useNow(10_000);
  const since = Date.parse(clock.since);
  const due = Date.parse(clock.due_at);
  const share = Math.min(1, Math.max(0, (now - since) / (due - since)));
  const tone = now > due ? 'red' : share >= 0.75 ? 'amber' : 'accent';
  const said = now > due ? words.over(now - due) : words.left(due - now);
  return (
    <div className="p-clock" data-tone={tone} title={times.exact(clock.due_at)}>
      <div className="p-clock-words">
        <span>{name}</span>
        <span className="p-numbers p-clock-left">{said}</span>
      </div>
      <div className="p-clock-bar" aria-hidden="true">
        <div style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
