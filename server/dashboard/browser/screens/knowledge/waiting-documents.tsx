import { Text } from '@mantine/core';
import { useMinute } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** How many documents are not in the index yet, and since when. Nothing if none waits. */
export function WaitingDocuments({
  waiting,
}: {
  readonly waiting: { readonly documents: number; readonly oldest_at: string | null } | undefined;
}) {
  const { texts } = useTexts();
  const now = useMinute();
  if (waiting === undefined || waiting.oldest_at === null) return null;
  const minutes = Math.floor((now - new Date(waiting.oldest_at).getTime()) / 60_000);
  return (
    <Text c="dimmed" fz={13} mb="sm" role="status">
      {texts.knowledge.waiting(waiting.documents, minutes)}
    </Text>
  );
}
