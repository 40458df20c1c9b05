import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { toProblem } from '../../../api/problem.ts';
import { useMay } from '../../../api/queries/workspace.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { type Change, useStage } from './change-queries.ts';
import { useChangeWords } from './change-words.ts';

interface StageButtonProps {
  readonly workspace: string;
  /** Null: there is nothing to stage yet. */
  readonly change: Change | null;
  /** The name of the set that is begun for it. */
  readonly name: string;
  readonly label?: string;
  /** Called once it is staged, before the set opens. */
  readonly onStaged?: () => void;
}

/** Puts a change into the newest staged set, or a new one, and opens the set. */
export function StageButton({ workspace, change, name, label, onStaged }: StageButtonProps) {
  const words = useChangeWords();
  const may = useMay('changes:write');
  const stage = useStage(workspace);
  const open = useOpenSet(workspace);
  if (!may) return null;
  const show = (set: string) => {
    onStaged?.();
    open(set);
  };
  return (
    <>
      {stage.isError && <FaultLine>{toProblem(stage.error).message}</FaultLine>}
      <Button
        variant="default"
        title={words.stageHint}
        disabled={change === null}
        loading={stage.isPending}
        onClick={() => stage.mutate({ change, name }, { onSuccess: show })}
      >
        {label ?? words.stage}
      </Button>
    </>
  );
}

/** Settings that a trial can try. */
const tried = ['strictness', 'model', 'mask_secrets', 'answer_from', 'maybe_from', 'skills'] as const;

interface TrySettingsProps {
  readonly workspace: string;
  /** The settings that were changed in a form. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** Opens a set with changed answer settings, and asks the test questions with it. Nothing is saved. */
export function TrySettings({ workspace, changes }: TrySettingsProps) {
  const words = useChangeWords();
  const may = useMay('changes:write');
  const stage = useStage(workspace);
  const open = useOpenSet(workspace);
  const settings = Object.fromEntries(
    tried.flatMap((name) => (name in changes ? [[name, changes[name]]] : [])),
  );
  const isOffered = Object.keys(settings).length > 0;
  if (!may || !isOffered) return null;
  const change = { kind: 'settings', settings } as const;
  return (
    <>
      <Button
        variant="default"
        title={words.tryHint}
        loading={stage.isPending}
        onClick={() => stage.mutate({ change, name: words.nameOfSettings, tries: true }, { onSuccess: open })}
      >
        {words.tryFirst}
      </Button>
      {stage.isError && <FaultLine>{toProblem(stage.error).message}</FaultLine>}
    </>
  );
}

function useOpenSet(workspace: string) {
  const navigate = useNavigate();
  return (set: string) =>
    void navigate({ to: '/w/$workspace/knowledge/changes/$set', params: { workspace, set } });
}
