import { NativeSelect, Select, SimpleGrid, Switch, TextInput, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { type Theme, useChangeMe, useMe } from '../../api/queries/me.ts';
import { Check } from '../../icons.ts';
import { Section } from '../../parts/page/section.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { languages } from '../../texts/common-texts.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { describeFault } from '../sign-in/describe-fault.ts';

const zones = Intl.supportedValuesOf('timeZone');
const themes: readonly Theme[] = ['auto', 'light', 'dark'];

/** Name, language, time zone, theme and keys. Each is stored as soon as it is chosen. */
export function Profile() {
  const { texts } = useTexts();
  const words = texts.me;
  const { person } = useMe();
  const [name, setName] = useState(person.name);
  const change = useChangeMe();
  const { setColorScheme } = useMantineColorScheme();
  return (
    <Section
      title={words.profile}
      beside={
        <span role="status">
          {change.isSuccess && (
            <StatusPill tone="green" icon={Check}>
              {words.saved}
            </StatusPill>
          )}
        </span>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextInput
          label={words.name}
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => {
            const trimmed = name.trim();
            if (trimmed === '') setName(person.name);
            else if (trimmed !== person.name) change.mutate({ name: trimmed });
          }}
        />
        <TextInput label={words.email} description={words.emailHelp} value={person.email} readOnly />
        <NativeSelect
          label={words.language}
          description={words.languageHelp}
          value={person.language ?? ''}
          onChange={(event) => change.mutate({ language: event.currentTarget.value || null })}
          data={[
            { value: '', label: words.asBrowser },
            ...Object.entries(languages).map(([value, label]) => ({ value, label })),
          ]}
        />
        <Select
          label={words.timeZone}
          searchable
          clearable
          limit={80}
          data={zones}
          value={person.time_zone}
          placeholder={`${words.asBrowser}: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`}
          onChange={(zone) => change.mutate({ time_zone: zone })}
        />
        <NativeSelect
          label={words.theme}
          value={person.theme}
          onChange={(event) => {
            const theme = themes.find((each) => each === event.currentTarget.value) ?? 'auto';
            setColorScheme(theme);
            change.mutate({ theme });
          }}
          data={themes.map((value) => ({ value, label: texts.frame.me[value] }))}
        />
        <Switch
          label={words.keys}
          description={words.keysHelp}
          checked={person.keys_enabled}
          onChange={(event) => change.mutate({ keys_enabled: event.currentTarget.checked })}
        />
      </SimpleGrid>
      {change.error !== null && <FaultLine>{describeFault(change.error, texts)}</FaultLine>}
    </Section>
  );
}
