import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useKind } from '../../../api/kinds.ts';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { Facts, type Talk } from './facts.tsx';
import { KindTile } from './kind-tile.tsx';
import { StatePill } from './state-pill.tsx';

/** The public API beside the channels: it is always there and takes keys. */
export function ApiCard({ talk }: { readonly talk: Talk }) {
  const { texts, language } = useTexts();
  const workspace = useWorkspace()?.id ?? '';
  const kind = useKind('api');
  const keys = <Link to={`/w/${workspace}/settings/keys`}>{texts.channels.api.keys}</Link>;
  return (
    <article className="p-card p-channel">
      <div className="p-channel-head">
        <KindTile kind="api" />
        <div className="p-channel-names">
          <Text fw={600}>{kindName('api', texts)}</Text>
          <Text size="xs" c="var(--p-text-2)" truncate>
            {kind?.summary[language]}
          </Text>
        </div>
        <StatePill state="live" />
      </div>
      <Facts talk={talk} last={keys} lastLabel={texts.channels.api.place} />
    </article>
  );
}
