import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { kindsQuery } from '../../api/kinds.ts';
import { wordKindSchema } from '../../parts/schema-form/word-schema.ts';
import { useTexts } from '../../texts/texts.tsx';

/** The kinds of channels, their fields in the language of the person. `name` stands in the texts to paste on the platform. */
export function useChannelKinds(name = '') {
  const { texts } = useTexts();
  const query = useQuery(kindsQuery(name));
  const { data } = query;
  const worded = useMemo(
    () =>
      data && {
        ...data,
        kinds: data.kinds.map((kind) => ({
          ...kind,
          credentials: { ...wordKindSchema(kind.credentials, texts.channelFields, kind.kind) },
          settings: { ...wordKindSchema(kind.settings, texts.channelFields, kind.kind) },
        })),
      },
    [data, texts],
  );
  return { ...query, data: worded };
}
