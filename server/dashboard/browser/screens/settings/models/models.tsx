import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { Section } from '../../../parts/page/section.tsx';
import { Page } from '../../../parts/page.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { ModelOrder } from './model-order.tsx';
import { type ChainedModel, type ModelProvider, type ModelSettings, modelsQuery } from './model-queries.ts';
import { useModelWords } from './model-words.ts';
import { ProviderCard } from './provider-card.tsx';
import './models.css';

/** Which language models answer in a workspace, and the keys with which they are called. */
export function Models() {
  const { texts } = useTexts();
  const words = useModelWords();
  const may = useMay('workspace:write');
  return (
    <Page title={texts.settings.names.models} intro={texts.settings.about.models}>
      {may ? <Content /> : <NoRight detail={words.right} />}
    </Page>
  );
}

function Content() {
  const workspace = useWorkspaceId();
  const { data, error, refetch } = useQuery(modelsQuery(workspace));
  const [isSaved, setSaved] = useState(false);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeletons rows={4} height={96} />;
  return (
    <>
      <InForce settings={data} />
      <ModelOrder
        key={data.chosen.map(({ model }) => model).join()}
        workspace={workspace}
        settings={data}
        isSaved={isSaved}
        onSaved={setSaved}
      />
      <Providers workspace={workspace} providers={data.providers} />
    </>
  );
}

/** The models in force, in words, also where nothing is set. */
function InForce({ settings: { chosen, installation } }: { readonly settings: ModelSettings }) {
  const words = useModelWords();
  const own = usable(chosen);
  const others = usable(installation);
  const name = (models: readonly ChainedModel[]) =>
    models
      .map(({ model, median_ms: ms }) => (ms === null ? model : words.withSpeed(model, ms)))
      .join(words.next);
  const lines =
    own.length > 0
      ? [words.own(name(own)), others.length > 0 ? words.after(name(others)) : words.quotedAfter]
      : others.length > 0
        ? [words.installation(name(others)), words.quotedAfter]
        : [chosen.length > 0 ? words.unusable : words.quoted];
  return (
    <Section title={words.force} text={words.forceText}>
      <div className="p-card p-models-force">
        {lines.map((line, position) => (
          <Text key={line} {...(position === 0 ? { fw: 500 } : { c: 'dimmed' })}>
            {line}
          </Text>
        ))}
      </div>
    </Section>
  );
}

function usable(models: readonly ChainedModel[]): readonly ChainedModel[] {
  return models.filter(({ key }) => key !== 'none');
}

/** As many providers without a key are shown at once. */
const SHOWN = 4;

interface ProvidersProps {
  readonly workspace: string;
  readonly providers: readonly ModelProvider[];
}

function Providers({ workspace, providers }: ProvidersProps) {
  const words = useModelWords();
  const may = useMay('people:write');
  const [showsAll, setShowsAll] = useState(false);
  const shown = providers.filter(
    ({ own_key, installation_key }, position) =>
      showsAll || position < SHOWN || own_key !== null || installation_key,
  );
  return (
    <Section title={words.providers} text={words.providersText}>
      {!may && <NoRight detail={words.limited} />}
      <div className="p-models-providers">
        {shown.map((provider) => (
          <ProviderCard key={provider.provider} workspace={workspace} provider={provider} mayChange={may} />
        ))}
      </div>
      {shown.length < providers.length && (
        <div>
          <Button variant="default" onClick={() => setShowsAll(true)}>
            {words.more}
          </Button>
        </div>
      )}
    </Section>
  );
}
