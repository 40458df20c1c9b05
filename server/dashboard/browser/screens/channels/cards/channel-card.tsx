import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Channel, ChannelState } from '../../../api/queries/channels.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { Facts } from './facts.tsx';
import { KindTile } from './kind-tile.tsx';
import { StatePill } from './state-pill.tsx';

interface ChannelCardProps {
  readonly channel: Channel;
  readonly state: ChannelState | undefined;
}

/** One channel: its state, and either three facts, or what is wrong with one way out. */
export function ChannelCard({ channel, state }: ChannelCardProps) {
  const { texts } = useTexts();
  const workspace = useWorkspace()?.id ?? '';
  const name = kindName(channel.channel, texts);
  const address = `/w/${workspace}/channels/${channel.id}`;
  return (
    <article className="p-card p-channel">
      <div className="p-channel-head">
        <KindTile kind={channel.channel} />
        <div className="p-channel-names">
          <Link to={address} className="p-channel-link">
            {channel.name}
          </Link>
          <Text size="xs" c="var(--p-text-2)" truncate>
            {channel.handle ?? name}
          </Text>
        </div>
        {state !== undefined && <StatePill state={state.state} />}
      </div>
      {state !== undefined && <CardFoot channel={channel} state={state} address={address} />}
    </article>
  );
}

interface CardFootProps {
  readonly channel: Channel;
  readonly state: ChannelState;
  readonly address: string;
}

function CardFoot({ channel, state, address }: CardFootProps) {
  const { texts } = useTexts();
  const words = texts.channels;
  const mayChange = useMay('channels:write');
  const workspace = useWorkspace()?.id ?? '';
  const isLeftOff =
    state.state === 'off' && state.checks_done < state.checks_total && channel.heard_at === null;
  if (state.state === 'unproven' || isLeftOff) {
    return (
      <div className="p-channel-foot" data-tone="amber">
        <div>
          <Text fw={600} c="var(--p-amber)">
            {isLeftOff ? words.unproven.notOn : words.unproven.title}
          </Text>
          <Text size="xs">{words.unproven.done(state.checks_done, state.checks_total)}</Text>
        </div>
        {mayChange && (
          <Button
            renderRoot={(props) => (
              <Link
                {...props}
                to={`/w/${workspace}/channels/new/${channel.channel}`}
                search={{ channel: channel.id, step: isLeftOff ? 'on' : 'check' }}
              />
            )}
            variant="default"
            aria-label={words.unproven.goOnWith(channel.name)}
          >
            {words.unproven.goOn}
          </Button>
        )}
      </div>
    );
  }
  if (state.state === 'refused' || state.state === 'stale') {
    const isRefused = state.state === 'refused';
    return (
      <div className="p-channel-foot" data-tone="red">
        <div className="p-channel-names">
          <Text fw={600} c="var(--p-red)" lineClamp={3} className="p-break">
            {channel.last_error ?? (isRefused ? words.ill.unknown : words.ill.silent)}
          </Text>
          <Text size="xs">
            {state.waiting_parts > 0 ? words.ill.wait(state.waiting_parts) : words.ill.nothingWaits}
          </Text>
        </div>
        {mayChange && (
          <Button
            renderRoot={(props) => (
              <Link {...props} to={address} search={{ tab: isRefused ? 'credentials' : 'overview' }} />
            )}
            variant="default"
            aria-label={`${isRefused ? words.ill.replace : words.ill.look}: ${channel.name}`}
          >
            {isRefused ? words.ill.replace : words.ill.look}
          </Button>
        )}
      </div>
    );
  }
  const heard = <TimeAgo at={channel.heard_at} />;
  return <Facts talk={state} last={heard} lastLabel={words.facts.lastHeard} />;
}
