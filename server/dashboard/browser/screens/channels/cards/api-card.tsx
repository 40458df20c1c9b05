import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Facts, type Talk } from './facts.tsx';
import { kindLook } from './kind-look.ts';
import { KindTile } from './kind-tile.tsx';
import { StatePill } from './state-pill.tsx';

/** The public API beside the channels: it is always there and takes keys. */
export function ApiCard({ talk }: { readonly talk: Talk }) {
  const { texts } = useTexts();
  const workspace = useWorkspace()?.id ?? '';
  const { name, about, icon } = kindLook('api', texts);
  const keys = <Link to={`/w/${workspace}/settings/keys`}>{texts.channels.api.keys}</Link>;
  return (
    <article className="p-card p-channel">
      <div className="p-channel-head">
        <KindTile kind="api" icon={icon} />
        <div className="p-channel-names">
          <Text fw={600}>{name}</Text>
          <Text size="xs" c="var(--p-text-2)" truncate>
            {about}
          </Text>
        </div>
        <StatePill state="live" />
      </div>
      <Facts talk={talk} last={keys} lastLabel={texts.channels.api.place} />
    </article>
  );
}
