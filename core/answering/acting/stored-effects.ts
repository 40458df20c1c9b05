import type { AwaitedReply } from '../../conversations/conversation-memory.ts';
import type { Turn } from '../../conversations/turn.ts';
import type { FiredSkill } from '../answer-draft.ts';

/** What is stored of the skills that ran, `awaited` being what one of them had asked for before. Pure. */
export function storedEffects(
  fired: readonly FiredSkill[],
  awaited: AwaitedReply | null,
): Pick<Turn, 'effects' | 'awaited'> {
  const asked = fired.flatMap(({ skill, effects }) =>
    effects.flatMap((effect) => (effect.kind === 'await' ? [{ skill, state: effect.state }] : [])),
  );
  const forgotten = awaited === null ? undefined : null;
  return {
    effects: fired.flatMap(({ effects }) => effects.filter(({ kind }) => kind !== 'await')),
    awaited: asked.at(-1) ?? forgotten,
  };
}
