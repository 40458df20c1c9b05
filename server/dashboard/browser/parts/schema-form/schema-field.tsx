import { Button, Checkbox, Fieldset, Group, Stack, Text } from '@mantine/core';
import { Plus, RotateCcw, Trash2 } from '../../icons.ts';
import type { Catalogue } from '../../texts/english.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Icon } from '../icon.tsx';
import { FieldInput, type FieldProps } from './field-input.tsx';
import {
  choicesOf,
  fieldKind,
  isFields,
  isSame,
  labelOf,
  optionName,
  withField,
  withoutNull,
} from './json-schema.ts';

/** One field of any kind, with its description, default, effect and the way back to the default. */
export function SchemaField(props: FieldProps) {
  const kind = fieldKind(props.schema);
  if (kind === 'group') return <GroupField {...props} />;
  if (kind === 'list' && listChoices(props.schema) !== null) return <ChoicesField {...props} />;
  if (kind === 'list') return <ListField {...props} />;
  return (
    <div data-field={props.path}>
      <FieldInput {...props} />
      <FieldNotes {...props} />
    </div>
  );
}

function FieldNotes({ schema, label, value, onValue, disabled }: FieldProps) {
  const { texts } = useTexts();
  const words = texts.parts.form;
  const { default: preset, 'x-effect': effect } = schema;
  const differs = preset !== undefined && value !== undefined && !isSame(value, preset);
  if (effect === undefined && preset === undefined) return null;
  return (
    <Group
      gap="sm"
      mt={4}
      mih={20}
      fz={12}
      c="dimmed"
      wrap="wrap"
      // The hint aligns with the label of a switch.
      {...(fieldKind(schema) === 'switch' && { ps: 46 })}
    >
      {preset !== undefined && <span>{words.defaultIs(describeValue(preset, schema, texts))}</span>}
      {effect !== undefined && <span>{effect}</span>}
      {differs && !disabled && (
        <Button
          variant="transparent"
          size="compact-xs"
          px={0}
          leftSection={<Icon of={RotateCcw} size={12} />}
          aria-label={words.resetField(label)}
          onClick={() => onValue(undefined)}
        >
          {words.reset}
        </Button>
      )}
    </Group>
  );
}

function describeValue(value: unknown, schema: FieldProps['schema'], { parts: { form } }: Catalogue): string {
  const nameOf = (each: unknown) =>
    typeof each === 'string' && schema['x-options'] !== undefined ? optionName(schema, each) : String(each);
  if (value === true) return form.on;
  if (value === false) return form.off;
  if (value === null || value === '') return form.empty;
  if (Array.isArray(value)) return value.length === 0 ? form.empty : value.map(nameOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : nameOf(value);
}

function GroupField({ path, label, schema, value, onValue, ...rest }: FieldProps) {
  const { properties = {}, required = [], description } = withoutNull(schema);
  const fields = isFields(value) ? value : {};
  return (
    <Fieldset legend={label} data-field={path} variant="unstyled">
      {description !== undefined && (
        <Text size="xs" c="dimmed" mb="md">
          {description}
        </Text>
      )}
      <Stack gap="lg" ps="lg" style={{ borderInlineStart: '2px solid var(--p-line)' }}>
        {Object.entries(properties).map(([key, property]) => (
          <SchemaField
            key={key}
            {...rest}
            path={`${path}.${key}`}
            label={labelOf(key, property)}
            schema={property}
            // A group that may be left out asks for its fields only once one of them is filled in.
            isRequired={required.includes(key) && (rest.isRequired || Object.keys(fields).length > 0)}
            value={fields[key]}
            onValue={(next) => {
              const changed = withField(fields, key, next);
              onValue(Object.keys(changed).length === 0 ? undefined : changed);
            }}
          />
        ))}
      </Stack>
      <FieldNotes {...{ path, label, schema, value, onValue, ...rest }} />
    </Fieldset>
  );
}

/** The values that the entries of a list are chosen from, or null if they are written. */
function listChoices(schema: FieldProps['schema']): readonly string[] | null {
  return choicesOf(withoutNull(schema).items ?? {});
}

/** A list of which each entry is one of a few values: a box for each. */
function ChoicesField(props: FieldProps) {
  const { path, label, schema, value, onValue, faults, disabled } = props;
  const { description, default: preset } = withoutNull(schema);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : Array.isArray(preset) ? preset : [];
  const choices = listChoices(schema) ?? [];
  return (
    <div data-field={path}>
      <Checkbox.Group
        label={label}
        description={description}
        error={faults[path]}
        value={choices.filter((choice) => chosen.includes(choice))}
        onChange={(next) => onValue(choices.filter((choice) => next.includes(choice)))}
      >
        <Stack gap="sm" my={6}>
          {choices.map((choice) => (
            <Checkbox
              key={choice}
              name={path}
              value={choice}
              label={optionName(schema, choice)}
              color="petrol"
              disabled={disabled}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <FieldNotes {...props} />
    </div>
  );
}

function ListField({ path, label, schema, value, onValue, faults, disabled, isRequired }: FieldProps) {
  const { texts } = useTexts();
  const words = texts.parts.form;
  const { items = {}, maxItems = Number.POSITIVE_INFINITY, description } = withoutNull(schema);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const kind = fieldKind(items);
  const replace = (position: number, next: unknown) => onValue(entries.with(position, next ?? emptyOf(kind)));
  return (
    <Fieldset legend={label} data-field={path} variant="unstyled">
      {description !== undefined && (
        <Text size="xs" c="dimmed" mb="sm">
          {description}
        </Text>
      )}
      <Stack gap="sm">
        {entries.map((entry, position) => (
          <Group
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name besides their position
            key={position}
            wrap="nowrap"
            gap="sm"
            align="flex-start"
          >
            <div style={{ flex: 1, minWidth: 0 }}>
              <SchemaField
                path={`${path}.${position}`}
                label={words.item(position + 1)}
                schema={items}
                value={entry}
                onValue={(next) => replace(position, next)}
                isRequired={isRequired}
                faults={faults}
                disabled={disabled}
              />
            </div>
            {!disabled && (
              <Button
                variant="default"
                px={8}
                mt={24}
                aria-label={words.remove(words.item(position + 1))}
                onClick={() => onValue(entries.toSpliced(position, 1))}
              >
                <Icon of={Trash2} />
              </Button>
            )}
          </Group>
        ))}
        {faults[path] !== undefined && (
          <Text size="xs" c="var(--p-red)" role="alert">
            {faults[path]}
          </Text>
        )}
        {!disabled && entries.length < maxItems && (
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon of={Plus} size={14} />}
              aria-label={`${words.add}: ${label}`}
              onClick={() => onValue([...entries, emptyOf(kind)])}
            >
              {words.add}
            </Button>
          </div>
        )}
      </Stack>
      <FieldNotes {...{ path, label, schema, value, onValue, faults, disabled, isRequired }} />
    </Fieldset>
  );
}

function emptyOf(kind: ReturnType<typeof fieldKind>): unknown {
  if (kind === 'group') return {};
  if (kind === 'list') return [];
  if (kind === 'switch') return false;
  return kind === 'number' ? 0 : '';
}
