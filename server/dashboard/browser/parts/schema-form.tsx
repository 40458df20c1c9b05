import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { toProblem } from '../api/problem.ts';
import { useTexts } from '../texts/texts.tsx';
import { createDrafts } from './drafts.ts';
import {
  type Fields,
  isSame,
  type JsonSchema,
  labelOf,
  withField,
  withoutNull,
} from './schema-form/json-schema.ts';
import { SchemaField } from './schema-form/schema-field.tsx';
import { FaultLine } from './states/fault-line.tsx';
import { Unsaved } from './unsaved.tsx';

/** The changes of forms with a place. */
const kept = createDrafts<Fields>();

interface SchemaFormProps {
  /** The schema of an object. */
  readonly schema: JsonSchema;
  /** The stored values; fields that are left out have their default. */
  readonly value: Fields;
  /** Gets all fields, and those that differ from `value`: null for a field that goes back to its default. */
  readonly onSubmit: (fields: Fields, changes: Fields) => void;
  /** Gets the changes while they are made, for a preview. */
  readonly onDraft?: (changes: Fields) => void;
  readonly error?: unknown;
  readonly isBusy?: boolean;
  readonly submitLabel?: string;
  /** Only these fields, in this order. */
  readonly only?: readonly string[];
  /** Secrets that the server has and does not show. */
  readonly stored?: readonly string[];
  /** Nothing can be changed. */
  readonly disabled?: boolean;
  /** Buttons beside the one that submits. */
  readonly beside?: ReactNode;
  /** The button that submits can be pressed without a change, as a step of a wizard needs it. */
  readonly always?: boolean;
  /** Changes are kept under this name when the person leaves the page, and marked. Forms with secrets have none. */
  readonly place?: string;
}

/** A form drawn from a JSON schema: settings and channels need no form of their own. */
export function SchemaForm({
  schema,
  value,
  onSubmit,
  onDraft,
  error = null,
  isBusy = false,
  submitLabel,
  only,
  stored = [],
  disabled = false,
  beside,
  always = false,
  place,
}: SchemaFormProps) {
  const { texts } = useTexts();
  const [base, setBase] = useState(value);
  const [draft, setDraft] = useState(() =>
    place === undefined ? value : applyChanges(value, kept.read(place) ?? {}),
  );
  const [sent, setSent] = useState<readonly string[]>([]);
  if (!isSame(base, value)) {
    // Saved, or changed by another person: what is stored now is shown, with the changes that were not sent.
    setBase(value);
    const own = Object.entries(findChanges(base, draft)).filter(
      ([key]) => error !== null || !sent.includes(key),
    );
    setDraft(place === undefined ? value : applyChanges(value, Object.fromEntries(own)));
    setSent([]);
  }
  useEffect(() => onDraft?.(findChanges(value, draft)), [onDraft, value, draft]);
  const { properties = {}, required = [] } = withoutNull(schema);
  const keys = only?.filter((key) => properties[key] !== undefined) ?? Object.keys(properties);
  const { faults, general } = placeFaults(error, keys, texts.parts.error.noConnection);
  const changes = findChanges(value, draft);
  const isUnsaved = place !== undefined && Object.keys(changes).length > 0;
  const written = JSON.stringify(changes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the changes are another object at each drawing
  useEffect(() => {
    if (place === undefined) return;
    if (isUnsaved) kept.keep(place, changes);
    else kept.forget(place);
  }, [place, isUnsaved, written]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(Object.keys(changes));
    onSubmit(draft, changes);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xl">
        {keys.map((key) => {
          const property = properties[key] ?? {};
          return (
            <SchemaField
              key={key}
              path={key}
              label={labelOf(key, property)}
              schema={property}
              value={draft[key]}
              onValue={(next) => setDraft((former) => withField(former, key, next))}
              isRequired={required.includes(key)}
              faults={faults}
              disabled={disabled}
              isStored={stored.includes(key)}
            />
          );
        })}
        {general !== null && <FaultLine>{general}</FaultLine>}
        {!disabled && (
          <Group gap="sm">
            <Button type="submit" loading={isBusy} disabled={!always && Object.keys(changes).length === 0}>
              {submitLabel ?? texts.parts.save}
            </Button>
            {beside}
            {isUnsaved && !isBusy && <Unsaved onDiscard={() => setDraft(value)} />}
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** Returns `fields` with the changes; null takes a field away. */
function applyChanges(fields: Fields, changes: Fields): Fields {
  return Object.entries(changes).reduce(
    (changed, [key, value]) => withField(changed, key, value ?? undefined),
    fields,
  );
}

function findChanges(before: Fields, after: Fields): Fields {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...keys].filter((key) => !isSame(before[key], after[key])).map((key) => [key, after[key] ?? null]),
  );
}

/**
 * Puts the server's words at their field: it names fields, or has a code of the field such as `invalid_name`. Words that
 * belong to no field of the form stand above its button.
 */
function placeFaults(error: unknown, keys: readonly string[], noConnection: string) {
  if (error === null || error === undefined) return { faults: {}, general: null };
  const { fields, code, message } = toProblem(error);
  const isShown = (path: string) => keys.includes(path.split('.', 1)[0] ?? '');
  const own = Object.fromEntries(Object.entries(fields).filter(([path]) => isShown(path)));
  if (Object.keys(own).length > 0) return { faults: own, general: null };
  const key = keys.find((each) => code === `invalid_${each}`);
  if (key !== undefined) return { faults: { [key]: message }, general: null };
  return { faults: {}, general: code === 'unreachable' ? noConnection : message };
}
