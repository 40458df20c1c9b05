import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { type Channel, previewQuery } from '../../../api/queries/channels.ts';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import { ExternalLink } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import type { Fields } from '../../../parts/schema-form/json-schema.ts';
import { useTexts } from '../../../texts/texts.tsx';

interface PreviewsProps {
  readonly channel: Channel;
  /** The settings that are not saved. */
  readonly changes: Fields;
  /** The public page. */
  readonly share: string;
}

/** The real widget and the real page in frames, with settings that are not saved. */
export function Previews({ channel, changes, share }: PreviewsProps) {
  const { texts, language: own } = useTexts();
  const words = texts.channels.studio;
  const workspace = useWorkspace()?.id ?? '';
  const [language, setLanguage] = useState<string>(own);
  const options = { settings: changes, language, say: words.previewSay };
  const { data, error } = useQuery(previewQuery({ workspace, channel: channel.id }, options));
  // Where the changes are wrong, the frames keep the last settings.
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const names = new Intl.DisplayNames([own], { type: 'language' });
  return (
    <section className="p-studio-preview" aria-labelledby="studio-preview">
      <Group justify="space-between" align="center">
        <Title order={2} id="studio-preview">
          {words.preview}
        </Title>
        <Group gap="sm">
          <NativeSelect
            aria-label={words.previewLanguage}
            size="xs"
            value={language}
            onChange={(event) => setLanguage(event.currentTarget.value)}
            data={(last?.languages ?? [own]).map((value) => ({ value, label: names.of(value) ?? value }))}
          />
          <Button
            component="a"
            href={share}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="xs"
            leftSection={<Icon of={ExternalLink} size={14} />}
          >
            {words.openPage}
          </Button>
        </Group>
      </Group>
      <Text size="xs" c="dimmed" role="status">
        {error === null ? words.previewHint : words.previewOld(toProblem(error).message)}
      </Text>
      <div className="p-previews">
        {last?.frames.map(({ kind, address }) => (
          <figure key={kind}>
            <Text component="figcaption" size="sm" fw={500}>
              {words.as[kind]}
            </Text>
            <Frame title={words.previewOf(channel.name, words.as[kind])} address={address} />
          </figure>
        ))}
      </div>
    </section>
  );
}

interface FrameProps {
  readonly title: string;
  readonly address: string;
}

/** Keeps what it shows until the next preview is drawn, so that nothing flashes. */
function Frame({ title, address }: FrameProps) {
  const [shown, setShown] = useState(address);
  const next = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (data === 'parley:preview' && source === next.current?.contentWindow) setShown(address);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [address]);
  const addresses = shown === address ? [address] : [shown, address];
  return (
    <div className="p-studio-frame">
      {addresses.map((each) => (
        <iframe
          key={each}
          ref={each === address ? next : null}
          title={title}
          src={each}
          {...(each !== shown && { 'data-next': '', inert: true })}
        />
      ))}
    </div>
  );
}
