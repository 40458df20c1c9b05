import { Button, Group, MultiSelect, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { audiencesQuery } from '../../../api/queries/documents.ts';
import { useMay } from '../../../api/queries/workspace.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { offerUndo } from '../../../undo/undo.tsx';
import { useChangeWords } from '../changes/change-words.ts';
import { StageButton } from '../changes/stage-button.tsx';
import { type GapDraft, useChangeGap, useCheckGap } from '../gaps/gap-queries.ts';
import { AgentReplies } from './agent-replies.tsx';
import { useDeleteCurated, useSaveCurated } from './curated-queries.ts';
import { type CuratedWords, useCuratedWords } from './curated-words.ts';
import { TryCurated } from './try-curated.tsx';

const ACTIONS = ['answer', 'unknown', 'person'] as const;
const MAX_QUESTION = 200;
const MAX_ANSWER = 8_000;
const MAX_PHRASINGS = 10;

/** The fields as they are typed. */
export interface Written {
  readonly question: string;
  /** One a line. */
  readonly phrasings: string;
  readonly action: (typeof ACTIONS)[number];
  readonly answer: string;
  readonly audience: readonly string[];
  /** `2027-01-31`, or empty. */
  readonly validUntil: string;
}

interface CuratedFormProps {
  readonly workspace: string;
  readonly id: string | null;
  readonly gap: string | null;
  /** Whether the person may save or stage it. */
  readonly may: boolean;
  readonly first: Written;
  /** The replies of agents in the conversations of the gap; null without a gap. */
  readonly replies: GapDraft['replies'] | null;
  readonly onClose: () => void;
}

/** The fields of an answer, with a trial before it is saved. */
export function CuratedForm({ workspace, id, gap, may, first, replies, onClose }: CuratedFormProps) {
  const { texts } = useTexts();
  const words = useCuratedWords();
  const [written, setWritten] = useState(first);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<Written>) => setWritten((before) => ({ ...before, ...change }));
  const save = useSaveCurated(workspace, id);
  const check = useCheckGap(workspace);
  const plan = useChangeGap(workspace);
  const mayWrite = useMay('knowledge:write');
  const navigate = useNavigate();
  const faults = findFaults(written, words, texts.parts.form.required);
  const shown = isTried ? faults : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!mayWrite || Object.keys(faults).length > 0 || save.isPending) return;
    save.mutate(toBody(written), {
      onSuccess: async ({ id: answer }) => {
        if (gap === null) return onClose();
        await check.mutateAsync({ gap, answer });
        await navigate({ to: '/w/$workspace/knowledge/gaps', params: { workspace }, search: { gap } });
      },
    });
  };
  const fault = save.error ?? check.error;
  const isReady = Object.keys(faults).length === 0;
  const isSame = id !== null && JSON.stringify(toBody(written)) === JSON.stringify(toBody(first));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label={words.question}
          value={written.question}
          onChange={({ currentTarget }) => set({ question: currentTarget.value })}
          error={shown.question}
          readOnly={!may}
          data-autofocus
        />
        <Textarea
          label={words.phrasings}
          description={words.phrasingsHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={2}
          maxRows={10}
          value={written.phrasings}
          onChange={({ currentTarget }) => set({ phrasings: currentTarget.value })}
          error={shown.phrasings}
          readOnly={!may}
        />
        <SegmentedControl
          aria-label={words.action}
          className="p-curated-actions"
          value={written.action}
          onChange={(value) => set({ action: ACTIONS.find((action) => action === value) ?? 'answer' })}
          data={ACTIONS.map((value) => ({ value, label: words.actions[value] }))}
          readOnly={!may}
        />
        {written.action === 'answer' && (
          <Textarea
            label={words.answer}
            description={words.answerHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autosize
            minRows={6}
            maxRows={20}
            value={written.answer}
            onChange={({ currentTarget }) => set({ answer: currentTarget.value })}
            error={shown.answer}
            readOnly={!may}
          />
        )}
        {replies !== null && (
          <AgentReplies
            workspace={workspace}
            replies={replies}
            onUse={(answer) => set({ answer, action: 'answer' })}
          />
        )}
        <Group grow align="flex-start" className="p-curated-limits">
          <AudienceField
            workspace={workspace}
            value={written.audience}
            onChange={(audience) => set({ audience })}
            may={may}
          />
          <TextInput
            type="date"
            label={words.validUntil}
            description={words.validUntilHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={written.validUntil}
            onChange={({ currentTarget }) => set({ validUntil: currentTarget.value })}
            readOnly={!may}
          />
        </Group>
        <TryCurated
          workspace={workspace}
          first={written.question}
          audience={written.audience}
          draft={isReady ? { ...toContent(written), replaces: id } : null}
        />
        {fault !== null && <FaultLine>{toProblem(fault).message}</FaultLine>}
        <Group justify="flex-end" gap="sm">
          {id !== null && may && (
            <Group gap="sm" me="auto">
              {mayWrite && <DeleteButton {...{ workspace, id, onClose }} question={first.question} />}
              <StageRemoval workspace={workspace} id={id} name={first.question} />
            </Group>
          )}
          <Button variant="subtle" onClick={onClose}>
            {texts.parts.cancel}
          </Button>
          {may && (
            <StageButton
              workspace={workspace}
              change={
                isReady && !isSame ? { ...toBody(written), kind: 'curated_written', answer_id: id } : null
              }
              name={written.question.trim()}
              onStaged={() => {
                if (gap !== null && mayWrite) plan.mutate({ gap, state: 'planned' });
              }}
            />
          )}
          {mayWrite && (
            <Button type="submit" loading={save.isPending || check.isPending}>
              {words.save}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface StageRemovalProps {
  readonly workspace: string;
  readonly id: string;
  readonly name: string;
}

function StageRemoval({ workspace, id, name }: StageRemovalProps) {
  const { stageRemoval } = useChangeWords();
  const change = { kind: 'curated_removed', answer_id: id } as const;
  return <StageButton {...{ workspace, change, name }} label={stageRemoval} />;
}

interface AudienceFieldProps {
  readonly workspace: string;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly may: boolean;
}

function AudienceField({ workspace, value, onChange, may }: AudienceFieldProps) {
  const words = useCuratedWords();
  const { data: audiences = [] } = useQuery(audiencesQuery(workspace));
  if (audiences.length === 0) return null;
  return (
    <MultiSelect
      label={words.audience}
      description={words.audienceHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={audiences}
      value={[...value]}
      onChange={onChange}
      readOnly={!may}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

interface DeleteButtonProps {
  readonly workspace: string;
  readonly id: string;
  readonly question: string;
  readonly onClose: () => void;
}

function DeleteButton({ workspace, id, question, onClose }: DeleteButtonProps) {
  const words = useCuratedWords();
  const { mutateAsync, isPending } = useDeleteCurated(workspace);
  const tell = (error: unknown) =>
    notifications.show({ message: toProblem(error).message, color: 'red', role: 'alert' });
  const remove = async () => {
    try {
      await mutateAsync({ id, action: 'delete' });
      offerUndo(words.deleted(question), () => mutateAsync({ id, action: 'restore' }).catch(tell));
      onClose();
    } catch (error) {
      tell(error);
    }
  };
  return (
    <Button variant="subtle" color="red" loading={isPending} onClick={() => void remove()}>
      {words.delete}
    </Button>
  );
}

type Faults = { readonly [Name in 'question' | 'phrasings' | 'answer']?: string };

function findFaults(written: Written, words: CuratedWords, required: string): Faults {
  const { question, action, answer } = written;
  const phrasings = splitLines(written.phrasings);
  const isLong = phrasings.some(({ length }) => length > MAX_QUESTION);
  return {
    ...(question.trim() === '' && { question: required }),
    ...(question.trim().length > MAX_QUESTION && { question: words.tooLong(MAX_QUESTION) }),
    ...(phrasings.length > MAX_PHRASINGS && { phrasings: words.tooMany }),
    ...(isLong && { phrasings: words.tooLong(MAX_QUESTION) }),
    ...(action === 'answer' && answer.trim() === '' && { answer: required }),
    ...(answer.length > MAX_ANSWER && { answer: words.tooLong(MAX_ANSWER) }),
  };
}

function splitLines(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

function toContent({ question, phrasings, action, answer }: Written) {
  return {
    question: question.trim(),
    phrasings: splitLines(phrasings),
    action,
    answer: action === 'answer' ? answer : null,
  };
}

function toBody(written: Written) {
  const { audience, validUntil } = written;
  return {
    ...toContent(written),
    audience: [...audience],
    valid_until: validUntil === '' ? null : `${validUntil}T23:59:59Z`,
  };
}
