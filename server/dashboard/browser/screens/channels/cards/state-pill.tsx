import type { ChannelState } from '../../../api/queries/channels.ts';
import { Check, CircleAlert, CircleDashed, Clock, type IconType, Pause } from '../../../icons.ts';
import { StatusPill } from '../../../parts/pills.tsx';
import { useTexts } from '../../../texts/texts.tsx';

const looks: Readonly<
  Record<ChannelState['state'], readonly ['green' | 'amber' | 'red' | 'grey', IconType]>
> = {
  live: ['green', Check],
  unproven: ['amber', CircleDashed],
  refused: ['red', CircleAlert],
  stale: ['red', Clock],
  off: ['grey', Pause],
};

/** The state of a channel in a word. */
export function StatePill({ state }: { readonly state: ChannelState['state'] }) {
  const { texts } = useTexts();
  const [tone, icon] = looks[state];
  return (
    <StatusPill tone={tone} icon={icon}>
      {texts.channels.states[state]}
    </StatusPill>
  );
}
