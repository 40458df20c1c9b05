import {
  JsonInput,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Eye } from '../../icons.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Icon } from '../icon.tsx';
import { choicesOf, fieldKind, type JsonSchema, optionName, withoutNull } from './json-schema.ts';

export interface FieldProps {
  /** The path from the form's root, such as `hours.monday.0`; also the name of the input. */
  readonly path: string;
  readonly label: string;
  readonly schema: JsonSchema;
  /** Undefined if it is left out, so that the default counts. */
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
  readonly isRequired: boolean;
  /** The server's words by path. */
  readonly faults: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  /** A secret that the server has and does not show. */
  readonly isStored?: boolean;
}

const inputTypes: Readonly<Record<string, string>> = { uri: 'url', url: 'url', email: 'email' };

/** The control of a field that has no fields of its own. */
export function FieldInput(props: FieldProps) {
  const { path, label, schema, value, onValue, isRequired, faults, disabled } = props;
  const { texts } = useTexts();
  const words = texts.parts.form;
  const { description, format = '', minimum, maximum, default: preset } = withoutNull(schema);
  const text = typeof value === 'string' ? value : '';
  const common = {
    name: path,
    label,
    disabled,
    required: isRequired,
    withAsterisk: false,
    error: faults[path],
    'aria-invalid': faults[path] !== undefined,
    ...(description !== undefined && { description }),
  };
  const hint = hintOf(preset);
  const onText = (next: string) => onValue(next === '' && !isRequired ? undefined : next);
  switch (fieldKind(schema)) {
    case 'switch':
      return (
        <Switch
          {...common}
          required={false}
          color="petrol"
          checked={(value ?? preset ?? false) === true}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          styles={{ wrapper: { maxWidth: 200 } }}
          value={typeof value === 'number' ? value : ''}
          placeholder={hint}
          {...(minimum !== undefined && { min: minimum })}
          {...(maximum !== undefined && { max: maximum })}
          clampBehavior="none"
          onChange={(next) => onValue(typeof next === 'number' ? next : undefined)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          styles={{ wrapper: { maxWidth: 320 } }}
          value={text || hint}
          onChange={(event) => onText(event.currentTarget.value)}
          data={[
            ...(isRequired || preset !== undefined ? [] : [{ value: '', label: words.notSet }]),
            ...(choicesOf(schema) ?? []).map((choice) => ({
              value: choice,
              label: optionName(schema, choice),
            })),
          ]}
        />
      );
    case 'secret':
      return <SecretInput {...props} common={common} onText={onText} />;
    case 'long-text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          placeholder={hint}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          type={inputTypes[format] ?? 'text'}
          value={text}
          placeholder={hint}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      );
    default:
      return (
        <JsonInput
          {...common}
          autosize
          minRows={3}
          dir="ltr"
          value={typeof value === 'string' ? value : JSON.stringify(value ?? preset ?? null, null, 2)}
          onChange={(next) => onValue(parseOr(next))}
        />
      );
  }
}

/** The default, as the empty control shows it. */
function hintOf(preset: unknown): string {
  return typeof preset === 'string' || typeof preset === 'number' ? String(preset) : '';
}

interface SecretInputProps extends FieldProps {
  readonly common: object;
  readonly onText: (text: string) => void;
}

/** A secret: never shown again, kept if it is left empty. */
function SecretInput({ value, isStored = false, common, onText, isRequired }: SecretInputProps) {
  const { texts } = useTexts();
  return (
    <PasswordInput
      {...common}
      required={isRequired && !isStored}
      classNames={{ innerInput: 'p-mono' }}
      autoComplete="off"
      spellCheck={false}
      value={typeof value === 'string' ? value : ''}
      placeholder={isStored ? texts.parts.form.unchanged : ''}
      visibilityToggleIcon={() => <Icon of={Eye} />}
      visibilityToggleButtonProps={{ 'aria-label': texts.parts.show, tabIndex: 0 }}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

/** Keeps what is not valid yet as text; the server says what is wrong with it. */
function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
