import { Button, FileButton, Text } from '@mantine/core';
import { useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { useStoreQuestions } from '../../../ask/evaluation-queries.ts';
import { Upload } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { parseSet } from './parse-set.ts';

/** Adds the questions of a file. */
export function UploadSet({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.evaluation;
  const store = useStoreQuestions(workspace);
  const [badLine, setBadLine] = useState<number | null>(null);
  const read = async (file: File | null) => {
    if (file === null) return;
    const parsed = parseSet(await file.text());
    setBadLine('badLine' in parsed ? parsed.badLine : null);
    if ('questions' in parsed) store.mutate(parsed.questions);
  };
  return (
    <>
      {badLine !== null && (
        <Text size="xs" c="var(--p-red)" role="alert">
          {words.uploadFault(badLine)}
        </Text>
      )}
      {store.isError && (
        <Text size="xs" c="var(--p-red)" role="alert">
          {toProblem(store.error).message}
        </Text>
      )}
      {store.isSuccess && (
        <Text size="xs" c="var(--p-text-2)" role="status">
          {words.uploaded(store.data)}
        </Text>
      )}
      <FileButton accept=".jsonl,.json,application/jsonl" onChange={(file) => void read(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<Icon of={Upload} />}
            loading={store.isPending}
            title={words.uploadHint}
          >
            {words.upload}
          </Button>
        )}
      </FileButton>
    </>
  );
}
