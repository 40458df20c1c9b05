import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ChannelKind } from '../../../api/kinds.ts';
import type { Fields, JsonSchema } from '../../../parts/schema-form/json-schema.ts';
import { SchemaForm } from '../../../parts/schema-form.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { placeWords } from './place-words.ts';

interface AccountFormProps {
  readonly kind: ChannelKind;
  /** Whether an account is replaced: its settings stay as they are. */
  readonly credentialsOnly?: boolean;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSubmit: (fields: { readonly credentials: Fields; readonly settings: Fields }) => void;
}

const noFields: Fields = {};
/** Settings that decide which credentials are needed. */
const deciding = ['mode', 'region'];
/** Settings that have a switch of their own. */
const elsewhere = ['enabled', 'verify'];
const looks = ['slug', 'title', 'greeting', 'colour', 'allowed_domains'];

/** The fields that a new account needs: its credentials and the settings without which it cannot work. */
export function AccountForm({
  kind,
  credentialsOnly = false,
  submitLabel,
  isBusy,
  error,
  onSubmit,
}: AccountFormProps) {
  const { texts } = useTexts();
  const [isWhole, setWhole] = useState(false);
  const credentials: JsonSchema = kind.credentials;
  const settings: JsonSchema = kind.settings;
  const schema = useMemo(() => merge(credentials, settings), [credentials, settings]);
  const secrets = Object.keys(credentials.properties ?? {});
  const all = Object.keys(settings.properties ?? {}).filter((name) => !elsewhere.includes(name));
  const needed = [
    ...(settings.required ?? []),
    ...all.filter((name) => (secrets.length === 0 ? looks : deciding).includes(name)),
  ];
  const shown = credentialsOnly ? secrets : [...new Set([...secrets, ...needed, ...(isWhole ? all : [])])];
  return (
    <SchemaForm
      schema={schema}
      value={noFields}
      only={shown}
      always
      error={error === null ? null : placeWords(error, credentials)}
      isBusy={isBusy}
      submitLabel={submitLabel}
      onSubmit={(fields) =>
        onSubmit({
          credentials: pick(fields, (name) => secrets.includes(name)),
          settings: pick(fields, (name) => !secrets.includes(name)),
        })
      }
      {...(!credentialsOnly &&
        !isWhole && {
          beside: (
            <Button variant="subtle" onClick={() => setWhole(true)}>
              {texts.channels.wizard.credentials.all}
            </Button>
          ),
        })}
    />
  );
}

function merge(credentials: JsonSchema, settings: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { ...credentials.properties, ...settings.properties },
    required: [...(credentials.required ?? []), ...(settings.required ?? [])],
  };
}

function pick(fields: Fields, isWanted: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
}
