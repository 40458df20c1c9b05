import { Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { ChevronRight, Lock } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type SettingsPage, settingsGroups } from './pages.ts';

/** All pages of the settings, each with what is on it. */
export function Settings() {
  const { texts } = useTexts();
  const words = texts.settings;
  return (
    <Page title={words.title} intro={words.intro} width="narrow">
      {settingsGroups.map(({ id, pages }) => (
        <section key={id} aria-label={words.groups[id]} className="p-settings-group">
          <Title order={2} mb="sm">
            {words.groups[id]}
          </Title>
          <div className="p-card">
            {pages.map((page) => (
              <PageLink key={page.id} page={page} />
            ))}
          </div>
        </section>
      ))}
    </Page>
  );
}

function PageLink({ page: { id, permission } }: { readonly page: SettingsPage }) {
  const { texts } = useTexts();
  const words = texts.settings;
  const may = useMay(permission);
  return (
    <Link to={`/w/${useWorkspaceId()}/settings/${id}`} className="p-settings-row">
      <div className="p-settings-row-text">
        <Text fw={500}>{words.names[id]}</Text>
        <Text size="xs" c="dimmed">
          {words.about[id]}
        </Text>
      </div>
      <Group gap="sm" wrap="nowrap">
        {!may && <Icon of={Lock} size={14} color="var(--p-dim)" label={texts.parts.noRight.ask} />}
        <Icon of={ChevronRight} color="var(--p-dim)" />
      </Group>
    </Link>
  );
}
