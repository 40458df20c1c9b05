import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type GapDraft, gapDraftQuery } from '../gaps/gap-queries.ts';
import { CuratedForm, type Written } from './curated-form.tsx';
import { type CuratedAnswer, curatedAnswerQuery } from './curated-queries.ts';
import { useCuratedWords } from './curated-words.ts';

interface CuratedEditorProps {
  readonly workspace: string;
  /** Null: a new answer. */
  readonly id: string | null;
  /** The gap that it is written for. */
  readonly gap: string | null;
  /** The question of a new answer, as a beginning. */
  readonly question: string;
  readonly may: boolean;
  readonly onClose: () => void;
}

/** Writes or changes an answer beside the list; for a gap, it begins with what agents wrote. */
export function CuratedEditor({ workspace, id, gap, question, may, onClose }: CuratedEditorProps) {
  const { texts } = useTexts();
  const words = useCuratedWords();
  const stored = useQuery({ ...curatedAnswerQuery(workspace, id ?? ''), enabled: id !== null });
  const draft = useQuery({ ...gapDraftQuery(workspace, gap ?? ''), enabled: gap !== null });
  const error = stored.error ?? draft.error;
  const isReady = (id === null || stored.isSuccess) && (gap === null || draft.isSuccess);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={640}
      className="p-drawer"
      title={id === null ? words.title.new : words.title.edit}
      attributes={{ header: { role: 'presentation' } }}
      overlayProps={{ backgroundOpacity: 0.35 }}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
    >
      {error !== null ? (
        <ErrorState error={error} title={words.notLoaded} />
      ) : isReady ? (
        <CuratedForm
          {...{ workspace, id, gap, may, onClose }}
          first={stored.data !== undefined ? toWritten(stored.data) : fromDraft(draft.data, question)}
          replies={draft.data?.replies ?? null}
        />
      ) : (
        <Skeletons rows={6} />
      )}
    </Drawer>
  );
}

function toWritten(answer: CuratedAnswer): Written {
  return {
    question: answer.question,
    phrasings: answer.phrasings.join('\n'),
    action: answer.action,
    answer: answer.answer ?? '',
    audience: answer.audience,
    validUntil: answer.valid_until?.slice(0, 10) ?? '',
  };
}

function fromDraft(draft: GapDraft | undefined, question: string): Written {
  return {
    question: draft?.question ?? question,
    phrasings: draft?.phrasings.join('\n') ?? '',
    action: 'answer',
    answer: draft?.answer ?? '',
    audience: [],
    validUntil: '',
  };
}
