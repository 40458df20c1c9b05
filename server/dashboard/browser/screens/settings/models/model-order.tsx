import { ActionIcon, Autocomplete, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { useChangeWorkspace } from '../../../api/queries/settings.ts';
import { ArrowDown, ArrowUp, X } from '../../../icons.ts';
import { createDrafts, useKeptDraft } from '../../../parts/drafts.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Section } from '../../../parts/page/section.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { TrySettings } from '../../knowledge/changes/stage-button.tsx';
import type { ChainedModel, ModelProvider, ModelSettings } from './model-queries.ts';
import { useModelWords } from './model-words.ts';

const drafts = createDrafts<readonly string[]>();

interface ModelOrderProps {
  readonly workspace: string;
  readonly settings: ModelSettings;
  readonly isSaved: boolean;
  readonly onSaved: (isSaved: boolean) => void;
}

/** The models that the workspace chose, in the order in which they are tried. */
export function ModelOrder({ workspace, settings, isSaved, onSaved }: ModelOrderProps) {
  const words = useModelWords();
  const change = useChangeWorkspace(workspace);
  const stored = settings.chosen.map(({ model }) => model);
  const place = `${workspace}/settings/models/order`;
  const { draft, setDraft, isUnsaved, discard, save } = useKeptDraft({ drafts, place, stored });
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const value = draft.length === 0 ? null : draft.join(', ');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const model = typed.trim();
    if (!isModelName(model)) return setFault(words.malformed);
    if (draft.includes(model)) return setFault(words.twice);
    setFault(null);
    setTyped('');
    setDraft([...draft, model]);
  };
  return (
    <Section title={words.order} text={words.orderText}>
      {draft.length > 0 && <Order models={draft} settings={settings} onChange={setDraft} />}
      <form onSubmit={add}>
        <Group align="flex-start" gap="sm">
          <Autocomplete
            label={words.add}
            description={words.addHint}
            placeholder="openai:gpt-5-mini"
            dir="ltr"
            style={{ flex: '1 1 260px' }}
            data={offeredModels(settings).filter((model) => !draft.includes(model))}
            error={fault}
            value={typed}
            onChange={setTyped}
          />
          <Button type="submit" variant="default" mt={24}>
            {words.addNow}
          </Button>
        </Group>
      </form>
      {change.error !== null && <FaultLine>{toProblem(change.error).message}</FaultLine>}
      <Group gap="md">
        <Button
          disabled={!isUnsaved}
          loading={change.isPending}
          onClick={() => {
            onSaved(false);
            // The list is drawn anew with what was saved, so that only the promise tells it.
            save(() => change.mutateAsync({ settings: { model: value } }).then(() => onSaved(true)));
          }}
        >
          {words.save}
        </Button>
        {isUnsaved && <TrySettings workspace={workspace} changes={{ model: value }} />}
        {isUnsaved && <Unsaved onDiscard={discard} />}
        <div role="status">{isSaved && !isUnsaved && <Text c="var(--p-green)">{words.saved}</Text>}</div>
      </Group>
    </Section>
  );
}

interface OrderProps {
  readonly models: readonly string[];
  readonly settings: ModelSettings;
  readonly onChange: (models: readonly string[]) => void;
}

type Side = 'up' | 'down';

function Order({ models, settings, onChange }: OrderProps) {
  const words = useModelWords();
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ readonly model: string; readonly side: Side } | null>(null);
  // The browser drops the focus of an element that moves, and one at the end of the list is switched off.
  useEffect(() => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const own = buttons.filter(({ dataset }) => dataset.model === moved?.model);
    const wanted = own.find(({ dataset, disabled }) => dataset.side === moved?.side && !disabled);
    (wanted ?? own.find(({ dataset, disabled }) => dataset.side !== undefined && !disabled))?.focus();
  }, [moved]);
  const move = (position: number, side: Side) => {
    const model = models[position];
    const other = models[side === 'up' ? position - 1 : position + 1];
    if (model === undefined || other === undefined) return;
    onChange(models.map((each) => (each === model ? other : each === other ? model : each)));
    setMoved({ model, side });
  };
  return (
    <ol className="p-card p-models-order" aria-label={words.list} ref={list}>
      {models.map((model, position) => (
        <li key={model}>
          <Stack gap={0} className="p-models-name">
            <Text fw={500} dir="ltr">
              {position + 1}. {model}
            </Text>
            <Text size="xs" c="dimmed">
              {describeModel(words, settings, model)}
            </Text>
          </Stack>
          <Group gap={4} wrap="nowrap">
            {(['up', 'down'] as const).map((side) => (
              <ActionIcon
                key={side}
                variant="default"
                data-model={model}
                data-side={side}
                aria-label={words[side](model)}
                disabled={position === (side === 'up' ? 0 : models.length - 1)}
                onClick={() => move(position, side)}
              >
                <Icon of={side === 'up' ? ArrowUp : ArrowDown} size={14} />
              </ActionIcon>
            ))}
            <ActionIcon
              variant="default"
              aria-label={words.drop(model)}
              onClick={() => onChange(models.filter((each) => each !== model))}
            >
              <Icon of={X} size={14} />
            </ActionIcon>
          </Group>
        </li>
      ))}
    </ol>
  );
}

/** The provider of a model, whose key it is called with, and how fast it was here. */
function describeModel(
  words: ReturnType<typeof useModelWords>,
  { chosen, installation, providers }: ModelSettings,
  model: string,
): string {
  const [name = ''] = model.split(':', 1);
  const provider = providers.find((each) => each.provider === name);
  const known = [...chosen, ...installation].find((each) => each.model === model);
  const source = known?.key ?? findSource(provider);
  const said = words.keys[source](provider?.title ?? name);
  const speed = known?.median_ms ?? null;
  return speed === null ? said : `${said}, ${words.speed(speed, known?.answers ?? 0)}`;
}

/** Whose key a model is likely to be called with before it is saved. */
function findSource(provider: ModelProvider | undefined): ChainedModel['key'] {
  if (provider === undefined) return 'installation';
  if (provider.own_key !== null) return 'own';
  return provider.installation_key ? 'installation' : 'none';
}

/** The models of providers with a key, and those of the installation. */
function offeredModels({ installation, providers }: ModelSettings): string[] {
  const ofProviders = providers
    .filter(({ own_key, installation_key }) => own_key !== null || installation_key)
    .flatMap(({ provider, models, own_key: key }) =>
      [...(key === null ? [] : [key.trial.model]), ...models].map((model) => `${provider}:${model}`),
    );
  return [...new Set([...installation.map(({ model }) => model), ...ofProviders])];
}

function isModelName(text: string): boolean {
  return /^[a-z][a-z0-9_-]{0,60}:[^\s,]{1,150}$/.test(text);
}
