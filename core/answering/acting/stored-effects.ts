import type { AwaitedReply } from '../../conversations/conversation-memory.ts';
import type { Turn } from '../../conversations/turn.ts';
import type { FiredSkill } from '../answer-draft.ts';

/** What is stored of the skills that ran, `awaited` being what one of them had asked for before. Pure. */
export function storedEffects(
  fired: readonly FiredSkill[],
  awaited: AwaitedReply | null,
): Pick<Turn, 'effects' | 'awaited'> {
  const asked = fired.flatMap(({ skill, effects }) =>
    effects.flatMap((effect) =>
      effect.kind === 'await' ? [{ skill, state: effect.state, messages: effect.messages }] : [],
    ),
  );
  return {
    effects: fired.flatMap(({ effects }) => effects.filter(({ kind }) => kind !== 'await')),
    awaited: asked.at(-1) ?? waitingStill(awaited, fired),
  };
}

/** Who asks something else first may still tell what he was asked for. */
function waitingStill(awaited: AwaitedReply | null, fired: readonly FiredSkill[]): Turn['awaited'] {
  if (awaited === null) return undefined;
  const isOver = awaited.messages <= 1 || fired.some(({ skill }) => skill === awaited.skill);
  return isOver ? null : { ...awaited, messages: awaited.messages - 1 };
}
