import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { audiencesQuery } from '../../../api/queries/documents.ts';
import {
  type Source,
  type SourceKind,
  sourceKindsQuery,
  useChangeSource,
} from '../../../api/queries/sources.ts';
import { Section } from '../../../parts/page/section.tsx';
import type { Fields, JsonSchema } from '../../../parts/schema-form/json-schema.ts';
import { SchemaForm } from '../../../parts/schema-form.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Rules } from '../ledger/rules.tsx';
import {
  commonFields,
  commonValues,
  hasFields,
  kindSchema,
  pickFields,
  readCommon,
} from '../source-schema.ts';
import { SourceWebhook } from './source-webhook.tsx';

interface SourceSettingsProps {
  readonly workspace: string;
  readonly source: Source;
  readonly may: boolean;
}

/** The name, the settings of the kind, the settings of every source, and the credentials. */
export function SourceSettings(props: SourceSettingsProps) {
  const { texts } = useTexts();
  const { data, error, refetch } = useQuery(sourceKindsQuery);
  const kind = data?.kinds.find((each) => each.kind === props.source.kind);
  if (error !== null && data === undefined) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (kind === undefined) return <Skeletons rows={6} />;
  const credentials = kindSchema(kind, 'credentials', texts);
  return (
    <div className="p-source-settings">
      {!props.may && <Text className="p-read-only">{texts.sources.readOnly}</Text>}
      <WhatIsRead {...props} kind={kind} />
      {hasFields(credentials) && <Credentials {...props} schema={credentials} />}
      {props.source.kind === 'website' && (
        <Rules workspace={props.workspace} source={props.source.id} may={props.may} />
      )}
      <SourceWebhook {...props} />
    </div>
  );
}

function WhatIsRead({ workspace, source, may, kind }: SourceSettingsProps & { readonly kind: SourceKind }) {
  const { texts } = useTexts();
  const words = texts.sources;
  const { data: audiences } = useQuery(audiencesQuery(workspace));
  const change = useChangeSource({ workspace, source: source.id });
  const settings = useMemo(() => kindSchema(kind, 'settings', texts), [kind, texts]);
  const schema = useMemo<JsonSchema>(
    () => ({
      type: 'object',
      properties: {
        name: { type: 'string', title: words.new.name, maxLength: 200 },
        ...settings.properties,
        ...commonFields(texts, { audiences: audiences ?? [], minutes: source.schedule_minutes }),
      },
      required: ['name', ...(settings.required ?? [])],
    }),
    [settings, words, texts, audiences, source.schedule_minutes],
  );
  const value: Fields = { ...source.settings, ...commonValues(source), name: source.name };
  return (
    <Section title={words.settings.what}>
      <SchemaForm
        schema={schema}
        value={value}
        place={`sources/${source.id}`}
        disabled={!may}
        error={change.error}
        isBusy={change.isPending}
        onSubmit={(fields) =>
          change.mutate({
            name: typeof fields.name === 'string' ? fields.name : source.name,
            settings: pickFields(fields, settings),
            ...readCommon(fields),
          })
        }
      />
      <Text role="status" size="sm">
        {change.isSuccess ? words.settings.saved : ''}
      </Text>
    </Section>
  );
}

function Credentials({
  workspace,
  source,
  may,
  schema,
}: SourceSettingsProps & { readonly schema: JsonSchema }) {
  const { texts } = useTexts();
  const words = texts.sources.settings;
  const [isOpen, setOpen] = useState(false);
  const change = useChangeSource({ workspace, source: source.id });
  return (
    <Section title={words.credentials} text={words.credentialsText}>
      <Group gap="md">
        <Text>{source.has_credentials ? words.credentialsStored : words.credentialsMissing}</Text>
        {may && !isOpen && (
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>
            {words.replace}
          </Button>
        )}
      </Group>
      {isOpen && (
        <SchemaForm
          schema={schema}
          value={{}}
          error={change.error}
          isBusy={change.isPending}
          onSubmit={(fields) =>
            change.mutate({ credentials: pickFields(fields, schema) }, { onSuccess: () => setOpen(false) })
          }
          beside={
            <Button variant="subtle" onClick={() => setOpen(false)}>
              {texts.parts.cancel}
            </Button>
          }
        />
      )}
      <Text role="status" size="sm">
        {change.isSuccess ? words.saved : ''}
      </Text>
    </Section>
  );
}
