import { Button, Checkbox, FileButton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { choicesQuery } from '../../../ask/evaluation-queries.ts';
import { Upload } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useImportTickets } from './tickets-queries.ts';
import { useTicketsWords } from './tickets-words.ts';

const MAX_BYTES = 100 * 2 ** 20;

interface UploadExportProps {
  readonly workspace: string;
  /** Whether an import is going: another one must wait. */
  readonly isBusy: boolean;
}

/** Uploads an export. Where a model answers, its owner chooses whether it is paid for all tickets. */
export function UploadExport({ workspace, isBusy }: UploadExportProps) {
  const words = useTicketsWords();
  const choices = useQuery(choicesQuery(workspace));
  const [isQuoted, setQuoted] = useState(true);
  const [share, setShare] = useState(0);
  const [isTooLarge, setTooLarge] = useState(false);
  const send = useImportTickets(workspace);
  const hasModel = (choices.data?.models.length ?? 0) > 0;
  const choose = (file: File | null) => {
    if (file === null) return;
    setShare(0);
    setTooLarge(file.size > MAX_BYTES);
    if (file.size > MAX_BYTES) return;
    send.mutate({ file, model: hasModel && isQuoted ? 'none' : null, onProgress: setShare });
  };
  return (
    <div className="p-ticket-upload">
      {isTooLarge && (
        <Text size="xs" c="var(--p-red)" role="alert">
          {words.tooLarge}
        </Text>
      )}
      {send.isError && (
        <Text size="xs" c="var(--p-red)" role="alert">
          {toProblem(send.error).message}
        </Text>
      )}
      {send.isPending && (
        <Text size="xs" c="var(--p-text-2)" role="status" className="p-numbers">
          {words.uploading(share)}
        </Text>
      )}
      {hasModel && (
        <Checkbox
          size="xs"
          label={words.quoted}
          checked={isQuoted}
          onChange={({ currentTarget }) => setQuoted(currentTarget.checked)}
        />
      )}
      <FileButton accept=".json,.jsonl,.ndjson,.mbox,application/json,application/mbox" onChange={choose}>
        {(props) => (
          <Button
            {...props}
            leftSection={<Icon of={Upload} />}
            loading={send.isPending}
            disabled={isBusy}
            title={words.uploadHint}
          >
            {words.upload}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
