import { Button, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { audiencesQuery } from '../../api/queries/documents.ts';
import {
  type SourceKind,
  sourceKindsQuery,
  useCreateSource,
  usePreviewSource,
} from '../../api/queries/sources.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { ArrowLeft, Eye } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import type { Fields, JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { SchemaForm } from '../../parts/schema-form.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { kindName, signOf } from './kinds.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { commonDefaults, commonFields, kindSchema, pickFields, readCommon } from './source-schema.ts';
import '../knowledge/knowledge.css';
import './sources.css';

/** Chooses a kind, then asks for its settings. The address contains the kind. */
export function NewSource() {
  const { texts } = useTexts();
  const words = texts.sources.new;
  const workspace = useWorkspace();
  const may = useMay('knowledge:write');
  const search: { readonly kind?: string } = useSearch({ strict: false });
  const { data, error, refetch } = useQuery(sourceKindsQuery);
  if (workspace === null) return null;
  const kind = data?.kinds.find((each) => each.kind === search.kind && each.unavailable === null);
  return (
    <Page
      title={kind === undefined ? words.title : words.titleOf(kindName(kind.kind, texts.sources.kinds))}
      intro={
        <Link
          to={kind === undefined ? '/w/$workspace/knowledge/sources' : '/w/$workspace/knowledge/sources/new'}
          params={{ workspace: workspace.id }}
          search={{}}
          className="p-back"
        >
          <Icon of={ArrowLeft} size={14} />
          {kind === undefined ? words.back : words.choose}
        </Link>
      }
      width="narrow"
    >
      {!may && <NoRight />}
      {may && data === undefined && error === null && <Skeletons rows={6} />}
      {may && data === undefined && error !== null && (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      {may && data !== undefined && kind === undefined && (
        <Kinds workspace={workspace.id} kinds={data.kinds} />
      )}
      {may && kind !== undefined && <NewForm workspace={workspace.id} kind={kind} key={kind.kind} />}
    </Page>
  );
}

function Kinds({ workspace, kinds }: { readonly workspace: string; readonly kinds: readonly SourceKind[] }) {
  const { texts } = useTexts();
  const { kinds: names, kindTexts, new: words } = texts.sources;
  const said: Readonly<Record<string, string>> = kindTexts;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {kinds.map(({ kind, unavailable }) => {
        const content = (
          <>
            <Icon of={signOf(kind)} size={20} color="var(--p-accent)" />
            <div>
              <Text fw={600}>{kindName(kind, names)}</Text>
              <Text size="sm" c="var(--p-text-2)">
                {unavailable === null ? (said[kind] ?? '') : `${words.unavailable}: ${unavailable}`}
              </Text>
            </div>
          </>
        );
        return unavailable === null ? (
          <Link
            key={kind}
            to="/w/$workspace/knowledge/sources/new"
            params={{ workspace }}
            search={{ kind }}
            className="p-card p-kind"
          >
            {content}
          </Link>
        ) : (
          <div key={kind} className="p-card p-kind" data-off>
            {content}
          </div>
        );
      })}
    </SimpleGrid>
  );
}

function NewForm({ workspace, kind }: { readonly workspace: string; readonly kind: SourceKind }) {
  const { texts } = useTexts();
  const words = texts.sources;
  const navigate = useNavigate();
  const { data: audiences } = useQuery(audiencesQuery(workspace));
  const create = useCreateSource(workspace);
  const preview = usePreviewSource(workspace);
  const [draft, setDraft] = useState<Fields>({});
  const settings = useMemo(() => kindSchema(kind, 'settings', texts), [kind, texts]);
  const credentials = useMemo(() => kindSchema(kind, 'credentials', texts), [kind, texts]);
  const schema = useMemo<JsonSchema>(
    () => ({
      type: 'object',
      properties: {
        ...settings.properties,
        ...credentials.properties,
        name: { type: 'string', title: words.new.name, description: words.new.nameHint, maxLength: 200 },
        ...commonFields(texts, { audiences: audiences ?? [] }),
      },
      required: [...(settings.required ?? []), ...(credentials.required ?? [])],
    }),
    [settings, credentials, words, texts, audiences],
  );
  // These are changes that the preview offered, on top of the fields that were written before.
  const [chosen, setChosen] = useState<Fields>({});
  const value = useMemo(() => ({ ...presetsOf(settings), ...commonDefaults, ...chosen }), [settings, chosen]);
  const read = (fields: Fields) => ({
    kind: kind.kind,
    settings: pickFields(fields, settings),
    credentials: pickFields(fields, credentials),
  });
  const add = (fields: Fields) =>
    create.mutate(
      {
        ...read(fields),
        ...readCommon(fields),
        name: nameOf(fields, kindName(kind.kind, words.kinds)),
        run: true,
      },
      {
        onSuccess: ({ id }) =>
          void navigate({
            to: '/w/$workspace/knowledge/sources/$source',
            params: { workspace, source: id },
          }),
      },
    );
  const look = (changes: Fields = {}) => {
    const fields = { ...value, ...draft, ...changes };
    const { include, exclude } = readCommon(fields);
    preview.mutate({ ...read(fields), include, exclude });
  };
  const lookWith = (changes: Fields) => {
    setChosen({ ...chosen, ...draft, ...changes });
    look(changes);
  };
  return (
    <div className="p-new-source">
      <SchemaForm
        schema={schema}
        value={value}
        onSubmit={add}
        onDraft={setDraft}
        error={create.error}
        isBusy={create.isPending}
        submitLabel={words.new.submit}
        always
        beside={
          <Button
            variant="default"
            leftSection={<Icon of={Eye} size={14} />}
            loading={preview.isPending}
            onClick={() => look()}
          >
            {words.preview.button}
          </Button>
        }
      />
      <PreviewPanel
        preview={preview.data}
        isBusy={preview.isPending}
        error={preview.error === null ? null : toProblem(preview.error).message}
        readsUnlisted={{ ...value, ...draft }.read_unlisted !== false}
        onChoice={lookWith}
      />
    </div>
  );
}

function presetsOf({ properties = {} }: JsonSchema): Fields {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, { default: preset }]) =>
      preset === undefined ? [] : [[key, preset]],
    ),
  );
}

/** The given name, else the host of an address, else the kind. */
function nameOf({ name, url }: Fields, kind: string): string {
  if (typeof name === 'string' && name.trim() !== '') return name.trim();
  const host = typeof url === 'string' ? URL.parse(url)?.hostname : undefined;
  return host === undefined || host === '' ? kind : host;
}
