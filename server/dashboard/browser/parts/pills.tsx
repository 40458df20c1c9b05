import type { IconType } from '../icons.ts';
import { useCommonTexts } from '../texts/common-texts.tsx';
import { Icon } from './icon.tsx';

interface StatusPillProps {
  readonly tone: 'green' | 'amber' | 'red' | 'accent' | 'grey';
  readonly icon?: IconType;
  /** A state has a word besides its colour. */
  readonly children: string;
}

/** The state of something: a sign and a word. */
export function StatusPill({ tone, icon, children }: StatusPillProps) {
  return (
    <span className="p-pill" data-tone={tone}>
      {icon !== undefined && <Icon of={icon} size={12} />}
      {children}
    </span>
  );
}

type Level = 'high' | 'medium' | 'low' | 'none';

interface ConfidencePillProps {
  readonly level: Level;
  /** The score between 0 and 1, shown on hover. */
  readonly score?: number;
}

const barCounts: Readonly<Record<Level, number>> = { high: 3, medium: 2, low: 1, none: 0 };

/** How sure an answer is: three bars and a word. */
export function ConfidencePill({ level, score }: ConfidencePillProps) {
  const { texts } = useCommonTexts();
  return (
    <span
      className="p-confidence"
      data-level={level}
      {...(score !== undefined && { title: texts.parts.score(score) })}
    >
      <svg width="12" height="10" viewBox="0 0 12 10" aria-hidden="true">
        {[3, 6, 10].map((height, position) => (
          <rect
            key={height}
            x={position * 4.5}
            y={10 - height}
            width="3"
            height={height}
            rx="0.75"
            fill="currentColor"
            opacity={position < barCounts[level] ? 1 : 0.28}
          />
        ))}
      </svg>
      {texts.parts.confidence[level]}
    </span>
  );
}
