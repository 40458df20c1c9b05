import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem, toProblem } from '../../api/problem.ts';
import { useChangeWorkspace, workspaceQuery } from '../../api/queries/settings.ts';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { type Fields, isFields } from '../../parts/schema-form/json-schema.ts';
import { SchemaForm } from '../../parts/schema-form.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { TrySettings } from '../knowledge/changes/stage-button.tsx';
import { pagesOfGroups } from './pages.ts';
import { useSettingsSchema } from './use-settings-schema.ts';

interface SettingFieldsProps {
  /** All settings of a group of the schema. */
  readonly group: string;
  /** Settings that have a form of their own. */
  readonly without?: readonly string[];
}

/** A form with the settings of a group, as the server describes them. */
export function SettingFields({ group, without = [] }: SettingFieldsProps) {
  const { texts } = useTexts();
  const id = useWorkspaceId();
  const may = useMay('workspace:write');
  const schema = useSettingsSchema(id);
  const workspace = useQuery(workspaceQuery(id));
  const change = useChangeWorkspace(id);
  const [isSaved, setSaved] = useState(false);
  const [draft, setDraft] = useState<Fields>({});
  const failed = schema.isError ? schema : workspace;
  if (failed.error !== null) {
    return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (schema.data === undefined || workspace.data === undefined) return <Skeletons rows={3} height={76} />;
  const { properties = {} } = schema.data;
  const names = Object.keys(properties).filter(
    (name) => Reflect.get(properties[name] ?? {}, 'x-group') === group && !without.includes(name),
  );
  const { settings } = workspace.data;
  return (
    <>
      <SchemaForm
        schema={schema.data}
        only={names}
        value={isFields(settings) ? pick(settings, names) : {}}
        place={`${id}/settings/${pagesOfGroups[group]}/${group}`}
        disabled={!may}
        onDraft={setDraft}
        beside={<TrySettings workspace={id} changes={draft} />}
        isBusy={change.isPending}
        error={change.error === null ? null : withField(change.error, names)}
        onSubmit={(_fields, changes) => {
          setSaved(false);
          change.mutate({ settings: changes }, { onSuccess: () => setSaved(true) });
        }}
      />
      <div role="status">{isSaved && <Text c="var(--p-green)">{texts.settings.saved}</Text>}</div>
    </>
  );
}

function pick(fields: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** The server names the setting in its words (“Problem at sla.resolution_minutes: …”): they belong at that field. */
function withField(error: unknown, names: readonly string[]): Problem {
  const { status, code, message, requestId } = toProblem(error);
  const [, after = ''] = message.split('Problem at ', 2);
  const [path = ''] = after.split(':', 1);
  const words = message.split(/[\s.,:"]/);
  const name = names.find((each) => words.includes(each));
  const key = path !== '' && names.includes(path.split('.', 1)[0] ?? '') ? path : name;
  const detail = path === '' ? message : after.slice(path.length + 1).trim();
  const fields = key === undefined ? {} : { [key]: detail };
  return new Problem({ status, code, detail: message, requestId, fields });
}
