import type { components } from '../../api/api-types.ts';

type Schemas = components['schemas'];

/** The steps from an empty workspace to one that answers customers. */
export const stepIds = ['named', 'document', 'answer', 'channel', 'colleague', 'second_factor'] as const;
export type StepId = (typeof stepIds)[number];

/** The evidence for each step. A part that is not there was not read yet. */
export interface SeenFacts {
  readonly workspaceName: string;
  readonly indexedDocuments?: number | undefined;
  /** The question of an answer of high confidence; null if there is none. */
  readonly sureQuestion?: string | null | undefined;
  readonly channels?: readonly Schemas['Channel'][] | undefined;
  readonly states?: readonly Schemas['ChannelState'][] | undefined;
  /** Names of all members. */
  readonly members?: readonly string[] | undefined;
  readonly hasSecondFactor?: boolean | undefined;
}

export interface Step {
  readonly id: StepId;
  readonly isDone: boolean;
  /** The thing that was seen, such as the name of the channel; empty if nothing was. */
  readonly evidence: string;
}

/** Returns the steps with their evidence. Null while a part is not read: a step is never shown as open because of that. Pure. */
export function findSteps(facts: SeenFacts): readonly Step[] | null {
  const { indexedDocuments, sureQuestion, channels, states, members, hasSecondFactor } = facts;
  if (
    indexedDocuments === undefined ||
    sureQuestion === undefined ||
    channels === undefined ||
    states === undefined ||
    members === undefined ||
    hasSecondFactor === undefined
  ) {
    return null;
  }
  const live = states.find(({ state }) => state === 'live');
  const channel = channels.find(({ id }) => id === live?.channel_id);
  const evidence: Readonly<Record<StepId, string | null>> = {
    named: facts.workspaceName,
    document: indexedDocuments > 0 ? String(indexedDocuments) : null,
    answer: sureQuestion,
    channel: channel?.name ?? null,
    colleague: members.length > 1 ? (members.at(-1) ?? null) : null,
    second_factor: hasSecondFactor ? '' : null,
  };
  return stepIds.map((id) => ({ id, isDone: evidence[id] !== null, evidence: evidence[id] ?? '' }));
}
