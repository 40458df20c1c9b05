import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { settingsSchemaQuery } from '../../api/queries/settings.ts';
import { wordSchema } from '../../parts/schema-form/word-schema.ts';
import { useTexts } from '../../texts/texts.tsx';

/** The schema of the settings as the server makes it, in the language of the person. */
export function useSettingsSchema(workspace: string) {
  const { texts } = useTexts();
  const query = useQuery(settingsSchemaQuery(workspace));
  const { data } = query;
  const worded = useMemo(() => data && wordSchema(data, texts.fields), [data, texts]);
  return { ...query, data: worded };
}
