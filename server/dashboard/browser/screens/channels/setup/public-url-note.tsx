import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChannelKind, kindsQuery } from '../../../api/kinds.ts';
import { TriangleAlert } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { kindName, useTexts } from '../../../texts/texts.tsx';

/** Says what a missing PUBLIC_URL blocks. Nothing if there is one, or the kind needs none. */
export function PublicUrlNote({ kind }: { readonly kind: ChannelKind }) {
  const { texts } = useTexts();
  const { data } = useQuery(kindsQuery());
  const words = texts.channels.publicUrl;
  if (data === undefined || data.public_url !== null || kind.public_url === 'unused') return null;
  return (
    <Group className="p-note" role="note" gap="sm" wrap="nowrap" align="flex-start">
      <Icon of={TriangleAlert} color="var(--p-amber)" />
      <div>
        <Text fw={600}>{words.missing}</Text>
        <Text size="sm">{words[kind.public_url](kindName(kind.kind, texts))}</Text>
      </div>
    </Group>
  );
}
