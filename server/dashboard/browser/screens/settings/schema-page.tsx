import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChangeWorkspace, workspaceQuery } from '../../api/queries/settings.ts';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { Section } from '../../parts/page/section.tsx';
import { Page } from '../../parts/page.tsx';
import { SchemaForm } from '../../parts/schema-form.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { NothingHere } from '../nothing-here.tsx';
import { CorrectionSection } from './answers/correction.tsx';
import { OwnTextsSection } from './answers/own-texts.tsx';
import { TierLimitsSection } from './answers/tier-limits.tsx';
import { SettingFields } from './setting-fields.tsx';
import { SupportHours } from './support-hours.tsx';

/** Settings of the group `answers` that a section below sets. */
const formsOfTheirOwn = [
  'fallback_message',
  'fallback_messages',
  'disclosure_message',
  'disclosure_messages',
  'answer_from',
  'maybe_from',
];

/** A list for each name: set with the API or the command line. */
const setByApi = ['plan_audiences'];

const pages = ['general', 'answers', 'hours'] as const;

/** The pages that are drawn from the schema of the settings: General, Answers, Hours and SLA. */
export function SchemaPage() {
  const { texts } = useTexts();
  const words = texts.settings;
  const params: { readonly page?: string } = useParams({ strict: false });
  const page = pages.find((each) => each === params.page);
  const may = useMay('workspace:write');
  if (page === undefined) return <NothingHere />;
  return (
    <Page title={words.names[page]} intro={words.about[page]} width="narrow">
      {!may && (
        <div style={{ marginBlockEnd: 24 }}>
          <NoRight detail={words.readOnly} />
        </div>
      )}
      {page === 'general' && (
        <>
          <Section title={words.sections.name}>
            <NameForm />
          </Section>
          <Section title={words.sections.general}>
            <SettingFields group="general" without={setByApi} />
          </Section>
          <Section title={words.sections.public}>
            <SettingFields group="public" />
          </Section>
        </>
      )}
      {page === 'answers' && (
        <>
          <section className="p-section" aria-label={words.names.answers}>
            <SettingFields group="answers" without={formsOfTheirOwn} />
          </section>
          <TierLimitsSection />
          <CorrectionSection />
          <OwnTextsSection kind="disclosure" />
          <OwnTextsSection kind="fallback" />
        </>
      )}
      {page === 'hours' && (
        <>
          <SupportHours />
          <section className="p-section" aria-label={words.sections.targets}>
            <SettingFields group="hours" without={['support_hours']} />
          </section>
        </>
      )}
    </Page>
  );
}

function NameForm() {
  const { texts } = useTexts();
  const words = texts.settings;
  const id = useWorkspaceId();
  const may = useMay('workspace:write');
  const { data: workspace } = useQuery(workspaceQuery(id));
  const change = useChangeWorkspace(id);
  const [isSaved, setSaved] = useState(false);
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', title: words.name, maxLength: 200 } },
  };
  if (workspace === undefined) return null;
  return (
    <>
      <SchemaForm
        schema={schema}
        value={{ name: workspace.name }}
        place={`${id}/settings/general/name`}
        disabled={!may}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={({ name }) => {
          setSaved(false);
          if (typeof name === 'string') change.mutate({ name }, { onSuccess: () => setSaved(true) });
        }}
      />
      <div role="status">{isSaved && <Text c="var(--p-green)">{words.saved}</Text>}</div>
    </>
  );
}
