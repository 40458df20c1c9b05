import { Button, FileButton, Modal, Text } from '@mantine/core';
import { toProblem } from '../../../api/problem.ts';
import { Upload } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useImportCurated } from './curated-queries.ts';
import { useCuratedWords } from './curated-words.ts';

/** Reads a file of answers. If a row is at fault, a dialog names all that are, and nothing is stored. */
export function ImportCurated({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = useCuratedWords();
  const store = useImportCurated(workspace);
  const faults = store.data?.faults ?? [];
  const read = async (file: File | null) => {
    if (file !== null) store.mutate(await file.text());
  };
  return (
    <>
      {store.isError && <FaultLine>{toProblem(store.error).message}</FaultLine>}
      {store.isSuccess && faults.length === 0 && (
        <Text size="xs" c="var(--p-text-2)" role="status">
          {words.imported(store.data.added, store.data.changed)}
        </Text>
      )}
      <FileButton accept=".csv,.tsv,text/csv" onChange={(file) => void read(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<Icon of={Upload} />}
            loading={store.isPending}
            title={words.importHint}
          >
            {words.import}
          </Button>
        )}
      </FileButton>
      <Modal
        opened={faults.length > 0}
        onClose={store.reset}
        title={words.faults.title}
        closeButtonProps={{ 'aria-label': texts.frame.close }}
      >
        <ul className="p-curated-faults">
          {faults.map(({ row, code, text }) => (
            <li key={`${row} ${code} ${text}`}>
              <strong className="p-numbers">{words.faults.row(row)}</strong> {words.faults[code]}
              {text !== '' && <span className="p-mono"> {text}</span>}
            </li>
          ))}
        </ul>
      </Modal>
    </>
  );
}
