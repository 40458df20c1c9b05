import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { workspaceQuery } from '../../../api/queries/settings.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { ArrowLeft, Check, Play, ShieldCheck, Trash2, Undo2 } from '../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { AddDocument } from './add-document.tsx';
import { type SetProps, setQuery, useActOnSet, useDiscardSet, useIsActing } from './change-queries.ts';
import { useChangeWords } from './change-words.ts';
import { SetState } from './changes.tsx';
import { ItemCard } from './item-card.tsx';
import { TrialView } from './trial.tsx';
import '../knowledge.css';
import './changes.css';

/** One change set: its changes, and the questions that are then answered differently. */
export function ChangeSetPage() {
  const workspace = useWorkspace();
  const { set }: { readonly set?: string } = useParams({ strict: false });
  if (workspace === null || set === undefined) return null;
  return <Loaded workspace={workspace.id} id={set} key={set} />;
}

interface LoadedProps {
  readonly workspace: string;
  readonly id: string;
}

function Loaded({ workspace, id }: LoadedProps) {
  const words = useChangeWords();
  const { data: set, error, refetch } = useQuery(setQuery({ workspace, id }));
  const act = useActOnSet({ workspace, id });
  return (
    <Page
      title={set?.name ?? words.title}
      intro={
        <span className="p-head-facts">
          <Link to="/w/$workspace/knowledge/changes" params={{ workspace }} className="p-back">
            <Icon of={ArrowLeft} size={14} />
            {words.back}
          </Link>
          {set !== undefined && (
            <>
              <SetState state={set.state} />
              <span>
                {set.created_by}, <TimeAgo at={set.created_at} />
              </span>
            </>
          )}
        </span>
      }
      action={set !== undefined && <Actions workspace={workspace} set={set} act={act} />}
    >
      {set !== undefined ? (
        <Columns workspace={workspace} set={set} act={act} />
      ) : error === null ? (
        <Skeletons rows={6} height={64} />
      ) : (
        <ErrorState error={error} title={words.notLoaded} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Actions({ workspace, set, act }: SetProps) {
  const words = useChangeWords();
  const mayStage = useMay('changes:write');
  const mayPublish = useMay('changes:publish');
  const [asked, setAsked] = useState<'discard' | 'undo' | null>(null);
  const { mutate } = act;
  const isActing = useIsActing(set.id);
  const send = useCallback(
    (wanted: 'try' | 'publish') => {
      if (!isActing()) mutate({ act: wanted });
    },
    [isActing, mutate],
  );
  const isStaged = set.state === 'staged';
  const isPossible = isStaged && set.items.length > 0 && !act.isPending;
  const isReady = set.items.every(({ status }) => status === null || status === 'indexed');
  const canRun = mayStage && isPossible && isReady && set.trial?.state !== 'running';
  const canPublish = mayPublish && isPossible && isReady;
  const actions = useMemo(() => {
    const run: KeyAction = {
      ...{ id: 'test-run', name: words.runKey, keys: 'r', scope: 'here' },
      run: () => send('try'),
    };
    const publish: KeyAction = {
      ...{ id: 'set-publish', name: words.publishKey, keys: 'mod+Enter', scope: 'here' },
      run: () => send('publish'),
    };
    return [...(canRun ? [run] : []), ...(canPublish ? [publish] : [])];
  }, [canRun, canPublish, words, send]);
  useKeyActions(actions);
  const going = (name: string) => act.isPending && act.variables?.act === name;
  return (
    <Group gap="sm" wrap="nowrap">
      {isStaged && mayStage && (
        <>
          <Button
            size="xs"
            variant="subtle"
            leftSection={<Icon of={Trash2} size={14} />}
            onClick={() => setAsked('discard')}
          >
            <span className="p-wide">{words.discard}</span>
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon of={Play} size={14} />}
            disabled={!canRun}
            loading={going('try')}
            onClick={() => send('try')}
          >
            <span className="p-wide">{set.trial === null ? words.run : words.runAgain}</span>
          </Button>
        </>
      )}
      {isStaged && mayPublish && (
        <Button
          size="xs"
          leftSection={<Icon of={Check} size={14} />}
          disabled={!canPublish}
          loading={going('publish')}
          onClick={() => send('publish')}
        >
          {words.publish}
        </Button>
      )}
      {set.state === 'published' && mayPublish && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon of={Undo2} size={14} />}
          onClick={() => setAsked('undo')}
        >
          {words.undo}
        </Button>
      )}
      <Confirm workspace={workspace} set={set} act={act} asked={asked} onClose={() => setAsked(null)} />
    </Group>
  );
}

interface ConfirmProps extends SetProps {
  readonly asked: 'discard' | 'undo' | null;
  readonly onClose: () => void;
}

function Confirm({ workspace, set, act, asked, onClose }: ConfirmProps) {
  const { texts } = useTexts();
  const words = useChangeWords();
  const navigate = useNavigate();
  const isActing = useIsActing(set.id);
  const discard = useDiscardSet({ workspace, id: set.id });
  const leave = () => void navigate({ to: '/w/$workspace/knowledge/changes', params: { workspace } });
  const decide = () => {
    if (asked === 'discard') discard.mutate(undefined, { onSuccess: leave });
    else if (!isActing()) act.mutate({ act: 'undo' }, { onSuccess: onClose });
  };
  const error = asked === 'discard' ? discard.error : act.error;
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={asked === 'undo' ? words.undoTitle : words.discardTitle}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
    >
      <Stack gap="lg">
        <Text>{asked === 'undo' ? words.undoText : words.discardText}</Text>
        {error !== null && <FaultLine>{toProblem(error).message}</FaultLine>}
        <Group justify="flex-end" gap="sm">
          <Button variant="subtle" onClick={onClose}>
            {texts.parts.cancel}
          </Button>
          <Button
            {...(asked === 'discard' && { color: 'red' })}
            loading={discard.isPending || act.isPending}
            data-autofocus
            onClick={decide}
          >
            {asked === 'undo' ? words.undo : words.discard}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Columns({ workspace, set, act }: SetProps) {
  const words = useChangeWords();
  const may = useMay('changes:write') && set.state === 'staged';
  const isChanged = set.items.some((item) => item.is_changed);
  return (
    <div className="p-changes">
      <section aria-label={words.count(set.items.length)} className="p-changes-items">
        <header>
          <h2>{words.count(set.items.length)}</h2>
          {may && <AddDocument act={act} />}
        </header>
        {set.items.length === 0 && <Text c="var(--p-text-2)">{words.noItems}</Text>}
        {isChanged && may && (
          <div className="p-changes-over">
            <Button
              size="xs"
              variant="default"
              loading={act.isPending && act.variables.act === 'take-over'}
              onClick={() => act.mutate({ act: 'take-over' })}
            >
              {words.takeOver}
            </Button>
            <Text size="xs" c="var(--p-text-2)">
              {words.takeOverHint}
            </Text>
          </div>
        )}
        {set.items.map((item) => (
          <ItemCard
            key={item.id}
            item={item}
            {...(may && { onTakeOut: () => act.mutate({ act: 'take-out', item: item.id }) })}
          />
        ))}
        {set.published !== null && (
          <Text size="sm" c="var(--p-text-2)">
            {set.undone === null ? words.publishedText(set.published.by) : words.undoneText(set.undone.by)}
          </Text>
        )}
      </section>
      <section aria-label={words.trial} className="p-changes-trial">
        {act.isError && <FaultLine>{toProblem(act.error).message}</FaultLine>}
        <TrialView workspace={workspace} set={set} act={act} />
        {set.state === 'staged' && <Rules workspace={workspace} />}
      </section>
    </div>
  );
}

/** The needs of publishing, and how soon it counts. */
function Rules({ workspace }: { readonly workspace: string }) {
  const words = useChangeWords();
  const mayPublish = useMay('changes:publish');
  const { data } = useQuery(workspaceQuery(workspace));
  const needsGreen = data?.settings.publish_needs_green === true;
  return (
    <footer className="p-changes-rules">
      <span>
        <Icon of={ShieldCheck} size={14} />
        {needsGreen && `${words.needsGreen} `}
        {mayPublish ? words.mayPublish : words.mayNotPublish}
      </span>
      <span>{words.inUse}</span>
    </footer>
  );
}
